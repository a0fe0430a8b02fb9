"""Which backends can run here, on which devices, and if not, why.

Each backend looks for its devices in a process of its own (look.py), since a driver can crash or hang whoever asks it.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pydantic import TypeAdapter

from accelbench import backends as backend_modules
from accelbench.model.device import Backend
from accelbench.processes.kept import package_path

ANSWER = TypeAdapter(Backend)
LIMIT_S = 60.0  # a driver's first start on a cluster node can take tens of seconds


def probe(backends=None, limit_s=LIMIT_S):
    """{name: Backend} for `backends`, or for all there are.

    All are looked for at the same time, each for `limit_s` seconds at most.
    """
    names = sorted(backend_modules.modules()) if backends is None else sorted(set(backends))
    with tempfile.TemporaryDirectory(prefix="accelbench-probe-") as folder:
        running = {}
        try:
            for name in names:
                running[name] = _start(name, Path(folder), os.environ | package_path(), limit_s)
            deadline = time.monotonic() + limit_s
            return {name: _collect(process, Path(folder, name), deadline, limit_s) for name, process in running.items()}
        finally:
            for process in running.values():
                if process.returncode is None:
                    _kill(process)


def _start(name, folder, environment, limit_s):
    command = [sys.executable, "-m", "accelbench.machine.look", name, str(limit_s)]
    # Files, not pipes: whatever a driver leaves running cannot keep us waiting for the end of its output.
    with open(folder / f"{name}.out", "wb") as out, open(folder / f"{name}.err", "wb") as err:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment, start_new_session=True
        )


def _collect(process, place, deadline, limit_s):
    try:
        code = process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        code = -signal.SIGALRM
    _kill(process)
    if code == 0:
        try:
            return ANSWER.validate_json(place.with_suffix(".out").read_bytes())
        except ValueError:
            return Backend.unavailable("looking for devices ended without an answer")
    if code == -signal.SIGALRM:
        return Backend.unavailable(f"looking for devices did not end within {limit_s:g} s (does the driver hang?)")
    said = place.with_suffix(".err").read_text(encoding="utf-8", errors="replace").strip().splitlines()
    end = signal.Signals(-code).name if code < 0 else f"exit status {code}"
    return Backend.unavailable(f"looking for devices crashed ({end}){': ' + said[-1] if said else ''}")


def _kill(process):
    """End a process and whatever it started; one that waits inside a driver may not even be killed."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(1.0)
