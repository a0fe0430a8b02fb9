"""The environments of backends on this machine: whether they are there, and what backends find from within them."""

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
    return EnvironmentDescription(
        python=told.version,
        numpy=told.numpy,
        lock=told.lock,
        digest=told.digest,
        backends=devices.probe(backends, python=place.python),
    )


def homes(found):
    """{backend: Backend} of those that have an environment of `found` to themselves."""
    return {b: there for name, e in found.items() if "@" not in name for b, there in e.backends.items()}


def in_own_python(places):
    """The backends that are looked for in accelbench's own Python."""
    elsewhere = environments.homes(places.values()).keys()
    return {b for b in backend_modules.modules().keys() - elsewhere if asked_for(b) is None}
