"""Versions of Python and packages that a case is measured with, for its key and its record."""

from accelbench.discovery import installed_version


def installed(machine, of, packages):
    """Return {package: version, or None} in the environment of a case or an implementation, or in this Python."""
    if not of.environment:
        return {package: installed_version(package) for package in packages}
    there = machine.environments[of.environment]
    versions = {"numpy": there.numpy, **there.backends[of.backend].versions}
    return {package: versions.get(package) for package in packages}


def recorded(machine, name):
    """Return the recorded fields of an environment; none of accelbench's own Python."""
    if not name:
        return {}
    there = machine.environments[name]
    return {"name": name, "python": there.python, "numpy": there.numpy, "lock": there.lock, "digest": there.digest}
