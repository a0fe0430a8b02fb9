"""Which backends can run here, on which devices, and if not, why.

Each backend's module looks for its devices in a process of its own (look.py), since a driver can crash or hang whoever
asks it.
"""

import contextlib
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pydantic import TypeAdapter

from accelbench import backends as backend_modules
from accelbench.model.device import Backend
from accelbench.processes.kept import Kept, clean_environment, signal_name

ANSWER = TypeAdapter(dict[str, Backend])
LIMIT_S = 60.0  # a driver's first start on a cluster node can take tens of seconds


def probe(backends=None, limit_s=LIMIT_S, python=None):
    """{name: Backend} for `backends`, or for all there are.

    All are looked for at the same time, each for `limit_s` seconds at most, in processes of that Python,
    this one where None.
    """
    modules = backend_modules.modules()
    groups = {}
    for name in sorted(modules if backends is None else set(backends)):
        groups.setdefault(modules.get(name, name), []).append(name)
    found = {}
    with tempfile.TemporaryDirectory(prefix="accelbench-probe-") as folder, contextlib.ExitStack() as started:
        looks = [(names, _start(names, Path(folder, names[0]), python or sys.executable)) for names in groups.values()]
        for _, look in looks:
            started.callback(look.end)
        deadline = time.monotonic() + limit_s
        for names, look in looks:
            found |= _collect(look, names, Path(folder, names[0]), deadline=deadline, limit_s=limit_s)
    return dict(sorted(found.items()))


def _start(names, place, python):
    command, environment = [python, "-m", "accelbench.machine.look", *names], clean_environment()
    # Files, not pipes: whatever a driver leaves running cannot keep us waiting for the end of its output.
    with open(place.with_suffix(".out"), "wb") as out, open(place.with_suffix(".err"), "wb") as err:
        return Kept(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment)


def _collect(look, names, place, *, deadline, limit_s):
    code = look.status(max(0.0, deadline - time.monotonic()))
    if code == 0:
        try:
            return ANSWER.validate_json(place.with_suffix(".out").read_bytes())
        except ValueError:
            reason = "looking for devices ended without an answer"
    elif code is None:
        reason = f"looking for devices did not end within {limit_s:g} s (does the driver hang?)"
    else:
        said = place.with_suffix(".err").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        end = signal_name(-code) if code < 0 else f"exit status {code}"
        reason = f"looking for devices crashed ({end}){': ' + said[-1] if said else ''}"
    return dict.fromkeys(names, Backend.unavailable(reason))
