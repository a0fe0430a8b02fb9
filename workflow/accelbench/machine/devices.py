"""Which backends can run here, on which devices, and if not, why.

Each backend's module looks for its devices in a process of its own (look.py), since a driver can crash or hang whoever
asks it.
"""

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from pydantic import TypeAdapter

from accelbench import backends as backend_modules
from accelbench.model.device import Backend
from accelbench.processes.kept import ask, clean_environment, signal_name

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
    with ThreadPoolExecutor(max(1, len(groups))) as pool:
        looks = pool.map(lambda names: _look(names, limit_s, python or sys.executable), groups.values())
        return dict(sorted(item for found in looks for item in found.items()))


def _look(names, limit_s, python):
    with tempfile.TemporaryFile() as errors:
        command = [python, "-m", "accelbench.machine.look", *names]
        code, answer = ask(command, limit_s, env=clean_environment(), stderr=errors)
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip().splitlines()
    if code == 0:
        try:
            return ANSWER.validate_json(answer)
        except ValueError:
            reason = "looking for devices ended without an answer"
    elif code is None:
        reason = f"looking for devices did not end within {limit_s:g} s (does the driver hang?)"
    else:
        end = signal_name(-code) if code < 0 else f"exit status {code}"
        reason = f"looking for devices crashed ({end}){': ' + said[-1] if said else ''}"
    return dict.fromkeys(names, Backend.unavailable(reason))
