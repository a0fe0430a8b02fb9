"""The versions that a case is measured with: of its Python and its packages, as its key and its record have them."""

from accelbench.discovery import installed_version


def installed(machine, of, packages):
    """{package: version, or None} where a case or an implementation runs: in its environment, or in this Python."""
    if not of.environment:
        return {package: installed_version(package) for package in packages}
    there = machine.environments[of.environment]
    versions = {"numpy": there.numpy, **there.backends[of.backend].versions}
    return {package: versions.get(package) for package in packages}


def recorded(machine, name):
    """What of the environment of that name decides what is measured in it; nothing of accelbench's own Python."""
    if not name:
        return {}
    there = machine.environments[name]
    return {"name": name, "python": there.python, "numpy": there.numpy, "lock": there.lock, "digest": there.digest}
