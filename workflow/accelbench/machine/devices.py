"""Devices of this machine for each backend, or the reason why a backend cannot run here.

Each backend's module looks for its devices in a separate process (look.py), which a driver can crash or hang.
"""

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from pydantic import TypeAdapter

from accelbench import backends as backend_modules
from accelbench.environments import interpreter, paths
from accelbench.environments.placement import homes
from accelbench.errors import InputError
from accelbench.model.device import Backend
from accelbench.model.machine import EnvironmentDescription
from accelbench.processes.supervision import ask, clean_environment, signal_name

ANSWER = TypeAdapter(dict[str, Backend])
LIMIT_S = 60.0  # Maximum time of a search, in seconds. A driver's first start on a node can take tens of seconds


def probe(backends=None, limit_s=LIMIT_S, python=None, **variables):
    """Search for devices. Return {name of a backend: Backend} for `backends`, or for all backends if None.

    limit_s    maximum time of each search process, in seconds; these processes run at the same time
    python     path of the Python that runs these processes; this process's Python if None
    variables  further environment variables of these processes
    """
    modules = backend_modules.modules()
    groups = {}
    for name in sorted(modules if backends is None else set(backends)):
        groups.setdefault(modules.get(name, name), []).append(name)
    with ThreadPoolExecutor(max(1, len(groups))) as pool:
        looks = pool.map(lambda names: _look(names, limit_s, python or sys.executable, **variables), groups.values())
        return dict(sorted(item for answer in looks for item in answer.items()))


def probe_everywhere(places, backends=None):
    """Search for devices in all environments. Return ({backend: Backend}, {environment: EnvironmentDescription}).

    places    the Environments (separate Pythons) of the configuration; each searches for the devices of its backends
    backends  names of backends; None for all backends
    """
    names = set(backend_modules.modules() if backends is None else backends)
    served = {place.name: (place, [b for b in place.backends if b in names]) for place in places}
    environments = {name: _environment(place, selection) for name, (place, selection) in served.items() if selection}
    at_home = {b: facts for name, home in environments.items() if "@" not in name for b, facts in home.backends.items()}
    return probe(names & without_environment(places)) | at_home, environments


def without_environment(places):
    """Return the backends that run in accelbench's own Python, not in one of the Environments `places`."""
    elsewhere = homes(places).keys()
    return {b for b in backend_modules.modules() if b not in elsewhere and backend_modules.environment(b) is None}


def _environment(place, backends):
    """Return the EnvironmentDescription of the Environment `place`, with the devices of `backends`."""
    try:
        python = interpreter.read(place.python)
    except InputError as error:
        make = place.install_command
        why = backend_modules.Unavailable(f"the environment {place.name} does not exist", make) if make else error
        absent = Backend.unavailable(str(why), remedy=why.remedy)
        return EnvironmentDescription(backends=dict.fromkeys(backends, absent))
    probed = probe(backends, python=place.python, **{backend_modules.INSTALL: _install_command(place)})
    versions = {"python": python.version, "numpy": python.numpy, "lock": python.lock, "digest": python.digest}
    return EnvironmentDescription(**versions, backends=probed)


def _install_command(place):
    """Return the command that installs packages into an Environment: a pip command with {} in place of the packages.

    If `make install` made the Environment's Python, and the Environment has a lock, return the command that installs
    this lock.
    """
    if paths.has_lock(place.name) and place.python in map(
        paths.absolute, (sys.executable, paths.default_python(place.name))
    ):
        return f"make install LOCK={place.name}"
    return f"{paths.shown(place.python)} -m pip install {{}}"


def _look(names, limit_s, python, **variables):
    with tempfile.TemporaryFile() as errors:
        command = [python, "-m", "accelbench.machine.look", *names]
        code, answer = ask(command, limit_s, env=clean_environment() | variables, stderr=errors)
        errors.seek(0)
        lines = errors.read().decode(errors="replace").strip().splitlines()
    if code == 0:
        try:
            return ANSWER.validate_json(answer)
        except ValueError:
            reason = "looking for devices ended without an answer"
    elif code is None:
        reason = f"looking for devices did not end within {limit_s:g} s (does the driver hang?)"
    else:
        end = signal_name(-code) if code < 0 else f"exit status {code}"
        reason = f"looking for devices crashed ({end}){': ' + lines[-1] if lines else ''}"
    return dict.fromkeys(names, Backend.unavailable(reason))
