"""Which backends can run here, on which devices, and if not, why.

Each backend looks for its devices in a process of its own (look.py), since a driver can crash or hang whoever asks it.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pydantic import TypeAdapter

from accelbench import backends as backend_modules
from accelbench.model.device import Backend
from accelbench.processes.kept import Kept, package_path, signal_name

ANSWER = TypeAdapter(Backend)
LIMIT_S = 60.0  # a driver's first start on a cluster node can take tens of seconds


def probe(backends=None, limit_s=LIMIT_S, python=None):
    """{name: Backend} for `backends`, or for all there are.

    All are looked for at the same time, each for `limit_s` seconds at most, in processes of that Python,
    this one where None.
    """
    names = sorted(backend_modules.modules()) if backends is None else sorted(set(backends))
    with tempfile.TemporaryDirectory(prefix="accelbench-probe-") as folder, contextlib.ExitStack() as started:
        looks = {name: _start(name, Path(folder, name), python or sys.executable) for name in names}
        for look in looks.values():
            started.callback(look.end)
        deadline = time.monotonic() + limit_s
        return {name: _collect(look, Path(folder, name), deadline, limit_s=limit_s) for name, look in looks.items()}


def _start(name, place, python):
    command, environment = [python, "-m", "accelbench.machine.look", name], os.environ | package_path()
    # Files, not pipes: whatever a driver leaves running cannot keep us waiting for the end of its output.
    with open(place.with_suffix(".out"), "wb") as out, open(place.with_suffix(".err"), "wb") as err:
        return Kept(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment)


def _collect(look, place, deadline, *, limit_s):
    code = look.status(max(0.0, deadline - time.monotonic()))
    if code is None:
        return Backend.unavailable(f"looking for devices did not end within {limit_s:g} s (does the driver hang?)")
    if code == 0:
        try:
            return ANSWER.validate_json(place.with_suffix(".out").read_bytes())
        except ValueError:
            return Backend.unavailable("looking for devices ended without an answer")
    said = place.with_suffix(".err").read_text(encoding="utf-8", errors="replace").strip().splitlines()
    end = signal_name(-code) if code < 0 else f"exit status {code}"
    return Backend.unavailable(f"looking for devices crashed ({end}){': ' + said[-1] if said else ''}")
