"""The environments of backends on this machine: whether they are there, and what backends find from within them."""

import sys
from dataclasses import replace

from accelbench import backends as backend_modules
from accelbench import environments
from accelbench.backends.homes import asked_for
from accelbench.machine import devices
from accelbench.model.device import Backend
from accelbench.model.machine import EnvironmentDescription


def look(places, backends=None):
    """{name: EnvironmentDescription} of {name: EnvironmentPlace}, with those of `backends`, or all, that run there."""
    wanted = {n: [b for b in place.backends if backends is None or b in backends] for n, place in places.items()}
    return {name: _look(places[name], found) for name, found in wanted.items() if found}


def _look(place, backends):
    try:
        told = environments.told_by(place.python)
    except environments.Unusable as problem:
        missing = f"the environment {place.name} is not there: {place.to_be_made}"
        reason = missing if place.to_be_made else f"{environments.shown(place.python)} {problem}. {problem.remedy}"
        return EnvironmentDescription(backends=dict.fromkeys(backends, Backend.unavailable(reason)))
    found = devices.probe(backends, python=place.python)
    return EnvironmentDescription(
        python=told.version,
        numpy=told.numpy,
        lock=told.lock,
        digest=told.digest,
        backends={backend: _installed_there(there, place) for backend, there in found.items()},
    )


def _installed_there(found, place):
    """A Backend whose reason says in which Python to install what is missing, or what makes the environment that was
    looked for in accelbench's own."""
    if found.reason is None:
        return found
    missing, absent, _ = found.reason.partition(" not installed: pip install ")
    if absent and place.python == environments.path(sys.executable) and environments.has_lock(place.name):
        return replace(found, reason=f"{missing} not installed: make install LOCK={place.name}")
    installs = f"{environments.shown(place.python)} -m pip install "
    return replace(found, reason=found.reason.replace("pip install ", installs))


def homes(found):
    """{backend: Backend} of those that have an environment of `found` to themselves."""
    return {b: there for name, e in found.items() if "@" not in name for b, there in e.backends.items()}


def in_own_python(places):
    """The backends that are looked for in accelbench's own Python."""
    elsewhere = environments.homes(places.values()).keys()
    return {b for b in backend_modules.modules().keys() - elsewhere if asked_for(b) is None}
