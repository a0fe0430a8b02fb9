"""Commands that end together with all processes that they started, at the latest when this process dies."""

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

END_S = 5.0  # Maximum time to wait until a keeper has killed its command, in seconds
MOST_READ = 1 << 20  # Size of the beginning, and of the end, of a long output that `ask` returns, in bytes
MOST_WRITTEN = 1 << 26  # Size of a command's output above which `ask` ends the command, in bytes
LOOK_S = 0.2  # Interval between checks of the size of the output, in seconds


class SupervisedProcess:
    """A command that runs under a keeper (accelbench.processes.keeper).

    passed        file descriptors that the command inherits
    memory_bytes  memory limit of each process of the command, 0 for none
    victim        increase of oom_score_adj: if memory runs out, the operating system kills the command before others
    settings      further arguments of subprocess.Popen
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
        self._answers = b""

    def pid(self, timeout):
        """Return the command's process id, or None if it is not known within `timeout` seconds."""
        return self._number(0, timeout)

    def status(self, timeout):
        """Wait until all processes of the command have ended. Return the command's exit status, as subprocess does.

        Return None if this takes longer than `timeout` seconds. If the keeper was killed, return the keeper's status.
        """
        status, ended = self._number(1, timeout), None
        if status is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                ended = self.keeper.wait(0.1)
                status = self._number(1, 0)  # the keeper writes the status just before it ends
        return ended if status is None else os.waitstatus_to_exitcode(status)

    def end(self):
        """Kill all remaining processes of the command."""
        self._lifeline.close()
        self.keeper.send_signal(signal.SIGCONT)  # the command may have stopped its keeper
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.keeper.wait(END_S)

    def _number(self, index, timeout):
        """Return the number in line `index` of the keeper's answers, or None."""
        with contextlib.suppress(OSError):
            self._lifeline.settimeout(timeout)
            while self._answers.count(b"\n") <= index:
                chunk = self._lifeline.recv(64)
                if not chunk:
                    return None
                self._answers += chunk
            return int(self._answers.splitlines()[index])


def ask(command, timeout_s, **settings):
    """Run a command and return (exit status, output). At the end, kill all processes that the command has started.

    The status is None if the command takes longer than `timeout_s` seconds or writes more than MOST_WRITTEN. If the
    output is long, only its beginning and end are returned. `settings` are arguments of SupervisedProcess. The output
    includes standard error, unless `settings` redirect it.
    """
    deadline = time.monotonic() + timeout_s
    with tempfile.TemporaryFile() as output:
        process = SupervisedProcess(
            command, **{"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output, **settings}
        )
        try:
            while (status := process.status(LOOK_S)) is None:
                if time.monotonic() > deadline or os.fstat(output.fileno()).st_size > MOST_WRITTEN:
                    break
        finally:
            process.end()
        size = output.seek(0, os.SEEK_END)
        output.seek(0)
        text = output.read(MOST_READ)
        output.seek(max(MOST_READ, size - MOST_READ))
        note = f"\nstopped after {size >> 20} MB of output" if size > MOST_WRITTEN else ""
        return status, (text + output.read(MOST_READ)).decode(errors="replace").strip() + note


# Time for which idle threads spin before they sleep: number of loops for libgomp, log2 of cycles for OpenBLAS. With
# OpenBLAS's default, 2**26 cycles, a matrix product of another process took 14 ms instead of 0.9 ms.
SPIN_BRIEFLY = {"GOMP_SPINCOUNT": "10000", "OPENBLAS_THREAD_TIMEOUT": "20"}


# Environment variables that measuring and building processes inherit. Other variables could affect results unnoticed.
INHERITED = re.compile(
    "PATH|PYTHONPATH|HOME|LANG|LD_LIBRARY_PATH|TMPDIR|CC|CXX|OPENCL_VENDOR_PATH|CL_CONFIG_.*|(CUDA|NVIDIA|OCL)_.*"
)
# Inherited variables that are neither recorded nor part of a key: paths of the user, and the choice of a device
UNRECORDED = {"PATH", "PYTHONPATH", "HOME", "TMPDIR", "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"}
FURTHER = "ACCELBENCH_VARIABLES"  # Variable with the names of further inherited variables, from the configuration


def inherit(names):
    """Add `names` to the environment variables that this process's measuring and building processes inherit."""
    os.environ[FURTHER] = " ".join(names)


def inherited():
    """Return {name: value} of the environment variables that measuring and building processes inherit."""
    further = os.environ.get(FURTHER, "").split()
    return {name: value for name, value in os.environ.items() if INHERITED.fullmatch(name) or name in further}


def inherited_settings():
    """Return the inherited variables that may affect results, for records and keys."""
    return {name: value for name, value in sorted(inherited().items()) if name not in UNRECORDED}


def clean_environment():
    """Return the environment of a process that measures, checks or builds, in which this package can be imported."""
    return with_package(inherited())


def temporary_folders(scratch):
    """Return environment variables that put temporary files and caches into folders in `scratch`.

    A killed process leaves such files behind.
    """
    return {"TMPDIR": str(scratch / "tmp"), "XDG_CACHE_HOME": str(scratch / "cache")}


def with_package(variables):
    """Return `variables` with additions, so that Python finds this package but imports nothing from the working folder.

    PYTHONWARNINGS is emptied, so that warnings are not errors.
    """
    here = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, [here, variables.get("PYTHONPATH")]))
    return {**variables, "PYTHONPATH": path, "PYTHONSAFEPATH": "1", "PYTHONWARNINGS": ""}


def signal_name(number):
    """Return the name of a signal, such as "SIGSEGV" for 11, or "signal 35" for a real-time signal without a name."""
    return next((known.name for known in signal.Signals if known == number), f"signal {number}")
