"""Commands that end with all they have started, at the latest when this process does, whatever it dies of."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from accelbench.processes import keeper

END_S = 5.0  # in which a keeper has killed what it keeps
MOST_READ = 1 << 20  # bytes of either end of a command's output
MOST_WRITTEN = 1 << 26  # bytes of output that end a command
LOOK_S = 0.2  # between looks at the size of the output


class Kept:
    """A command that runs under a keeper (accelbench.processes.keeper).

    passed        descriptors that it inherits
    memory_bytes  the most that each of its processes may fill, 0 for no limit
    victim        how much rather than others it is to be ended where memory runs out: what oom_score_adj rises by
    settings      of subprocess.Popen
    """

    def __init__(self, command, *, passed=(), memory_bytes=0, victim=1000, **settings):
        self._lifeline, theirs = socket.socketpair()
        with theirs:
            numbers = map(str, (theirs.fileno(), memory_bytes, victim))
            self.keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", keeper.__file__, *numbers, *command],
                pass_fds=[theirs.fileno(), *passed],
                start_new_session=True,
                **settings,
            )
        self._told = b""

    def pid(self, timeout):
        """The command's process id; None where it is not known within `timeout` seconds."""
        return self._number(0, timeout)

    def status(self, timeout):
        """How the command ended, as subprocess says it, once nothing of it is left; None where it has not within
        `timeout` seconds. Where its keeper was killed, that one's."""
        status, ended = self._number(1, timeout), None
        if status is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                ended = self.keeper.wait(0.1)
                status = self._number(1, 0)  # it may have told meanwhile
        return ended if status is None else os.waitstatus_to_exitcode(status)

    def end(self):
        """Kill what is left of the command."""
        self._lifeline.close()
        self.keeper.send_signal(signal.SIGCONT)  # the command may have stopped its keeper
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.keeper.wait(END_S)

    def _number(self, index, timeout):
        """The number in a line that the keeper tells, or None."""
        with contextlib.suppress(OSError):
            self._lifeline.settimeout(timeout)
            while self._told.count(b"\n") <= index:
                told = self._lifeline.recv(64)
                if not told:
                    return None
                self._told += told
            return int(self._told.splitlines()[index])


def ask(command, timeout_s, **settings):
    """Run a command to its end and return (exit status, output). What it started ends with it.

    The status is None where the command takes longer than `timeout_s` or writes more than MOST_WRITTEN. Of a long
    output both ends are returned. `settings` are those of Kept; the output holds standard error unless they say other.
    """
    deadline = time.monotonic() + timeout_s
    with tempfile.TemporaryFile() as output:
        kept = Kept(command, **{"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output, **settings})
        try:
            while (status := kept.status(LOOK_S)) is None:
                if time.monotonic() > deadline or os.fstat(output.fileno()).st_size > MOST_WRITTEN:
                    break
        finally:
            kept.end()
        size = output.seek(0, os.SEEK_END)
        output.seek(0)
        text = output.read(MOST_READ)
        output.seek(max(MOST_READ, size - MOST_READ))
        note = f"\nstopped after {size >> 20} MB of output" if size > MOST_WRITTEN else ""
        return status, (text + output.read(MOST_READ)).decode(errors="replace").strip() + note


# How long threads spin that have nothing to do, before they sleep: libgomp's so many times, OpenBLAS's 2**20 cycles. By
# themselves OpenBLAS's spin for 2**26, and whoever runs next waits for their cores: 14 ms where it needs 0.9.
SPIN_BRIEFLY = {"GOMP_SPINCOUNT": "10000", "OPENBLAS_THREAD_TIMEOUT": "20"}


# Environment variables that measuring and building processes inherit; all others could change a number unseen.
INHERITED = re.compile(
    "PATH|PYTHONPATH|HOME|LANG|LD_LIBRARY_PATH|TMPDIR|CC|CXX|OPENCL_VENDOR_PATH|CL_CONFIG_.*|(CUDA|NVIDIA|OCL)_.*"
)
# Inherited, but neither recorded nor part of a key: folders of a user, and the choice of a device, which has a name.
UNRECORDED = {"PATH", "PYTHONPATH", "HOME", "TMPDIR", "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"}
FURTHER = "ACCELBENCH_VARIABLES"  # names that the configuration adds, separated by spaces


def inherit(names):
    """Add `names` to the environment variables that this process's measuring and building processes inherit."""
    os.environ[FURTHER] = " ".join(names)


def inherited():
    """Return {name: value} of the environment variables that measuring and building processes inherit."""
    further = os.environ.get(FURTHER, "").split()
    return {name: value for name, value in os.environ.items() if INHERITED.fullmatch(name) or name in further}


def inherited_settings():
    """Return those inherited variables that may change a number, for records and keys."""
    return {name: value for name, value in sorted(inherited().items()) if name not in UNRECORDED}


def clean_environment():
    """Return the environment of a process that measures, checks or builds: inherited variables, and this package."""
    return with_package(inherited())


def with_package(variables):
    """Return `variables` with those by which Python finds this package, and nothing in the working folder.

    Warnings of libraries are no errors there.
    """
    here = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, [here, variables.get("PYTHONPATH")]))
    return {**variables, "PYTHONPATH": path, "PYTHONSAFEPATH": "1", "PYTHONWARNINGS": ""}


def signal_name(number):
    """ "SIGSEGV" for 11; real-time signals have numbers alone."""
    return next((known.name for known in signal.Signals if known == number), f"signal {number}")
