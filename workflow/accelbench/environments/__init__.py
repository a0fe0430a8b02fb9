"""Pythons that backends have to themselves: what each tells of itself (tell.py), and whether workers can run in it.

A worker runs on the standard library and NumPy alone, beside its backend's library; so does what looks for devices.
"""

import hashlib
import json
import os
import re
import subprocess
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from accelbench import project
from accelbench.processes.kept import ask, inherited

OLDEST = (3, 10)  # whose syntax workers are written in
UNLOCKED, NUMPY = "unlocked", "numpy"
TOOLS = {"pip", "setuptools", "wheel", "accelbench-workflow"}  # beside what a lock names
ANSWER_S = 60  # in which a Python must have told


class Unusable(Exception):
    """A Python that nothing can run in: the message is the problem a person reads, `remedy` what to do."""

    def __init__(self, problem, remedy):
        super().__init__(problem)
        self.remedy = remedy


@dataclass(frozen=True)
class EnvironmentPlace:
    """An environment as it was configured: its name, the absolute path of its Python, the backends that run there."""

    name: str
    python: str
    backends: tuple[str, ...]

    @property
    def is_home(self):
        """Whether its backends run nowhere else: one with a version in its name is a contestant."""
        return "@" not in self.name

    @property
    def to_be_made(self):
        """The command that makes it where it is missing, None where it is there or no lock makes it."""
        made = has_lock(self.name) and self.python == path(home(self.name))
        return f"make install LOCK={self.name}" if made and not os.path.exists(self.python) else None


@dataclass(frozen=True)
class Told:
    """A Python by its own words; `packages` are {name: version}, `numpy_fails` is why its NumPy cannot be imported, or
    None; `lock` and `digest` are as in EnvironmentDescription."""

    version: str
    implementation: str
    prefix: str
    include: str
    extension_suffix: str
    packages: dict[str, str]
    numpy_fails: str | None
    lock: str = UNLOCKED
    digest: str = ""
    path: str = ""

    @property
    def numpy(self):
        """Its version, None where it is not installed."""
        return self.packages.get(NUMPY)


def homes(places):
    """{backend: EnvironmentPlace} of the backends that run in one of these places and nowhere else."""
    return {backend: place for place in places if place.is_home for backend in place.backends}


def has_lock(name):
    """Whether `make install LOCK=<name>` makes an environment of that name."""
    return (project.ROOT / "envs" / f"{name}.lock").is_file()


def home(name):
    """Where `make install LOCK=<name>` makes the Python of an environment, seen from the project's folder."""
    return f".venv-{name}/bin/python"


def path(python):
    """The absolute path of a Python as a configuration writes it; a link stays one, as virtual environments need."""
    return os.path.abspath(project.ROOT / project.at_home(python))


def shown(python):
    """The path of a Python, or of something else, as a person would write it in a configuration: from the project's
    folder or from home where it lies there. Results are read by others, whom other folders do not concern."""
    for folder, start in ((project.ROOT, ""), (os.path.expanduser("~"), "~/")):
        if Path(python).is_relative_to(folder):
            return start + str(Path(python).relative_to(folder))
    return str(python)


@cache
def told_by(python):
    """The Told of the Python at a path; Unusable where it is none, or none that workers can run in."""
    try:
        return _checked(_answer(python))
    except (OSError, ValueError):
        raise Unusable("is no Python that answers", "Name the Python of a virtual environment") from None


def _checked(told):
    """Return the Told with its lock; Unusable where workers cannot run in it."""
    python = told.path
    if tuple(map(int, re.findall(r"\d+", told.version)[:2])) < OLDEST:
        wanted = ".".join(map(str, OLDEST))
        raise Unusable(f"is Python {told.version}, and workers need {wanted} or newer", "Name a newer Python")
    if told.numpy is None:
        what = f"is Python {told.version} without NumPy, which every worker needs"
        raise Unusable(what, f"Install it there: {shown(python)} -m pip install numpy")
    if told.numpy_fails is not None:
        what = f"is Python {told.version} whose NumPy {told.numpy} cannot be imported ({told.numpy_fails})"
        again = f"{shown(python)} -m pip install --force-reinstall numpy=={told.numpy}"
        raise Unusable(what, f"Install it anew there: {again}")
    lock, digest = _lock(Path(told.prefix, "installed"), told.packages)
    return replace(told, lock=lock, digest=digest)


def _answer(python):
    """What the Python says, as tell.py writes it."""
    if not os.path.exists(python):
        raise Unusable("is not there", "Make that environment, or name the Python of another")
    from pydantic import TypeAdapter  # only here: workers import this room, and have no pydantic

    command = [python, Path(__file__).with_name("tell.py")]
    _, words = ask(command, ANSWER_S, stderr=subprocess.DEVNULL, env=inherited())
    return replace(TypeAdapter(Told).validate_json(words), path=python)


def _lock(records, packages):
    """(name, digest) of the lock that an environment was installed from, where it is still as that says; else UNLOCKED,
    and the digest of its packages."""
    for record in filter(Path.is_file, sorted(records.glob("*"))):
        text = record.read_bytes().split(b"\n", 2)[-1]  # below the places it was installed in (envs/install.py)
        pinned = re.findall(r"^([A-Za-z0-9][^=\s]*)==([^\s;\\]+)", text.decode("utf-8", "replace"), re.MULTILINE)
        named = {(re.sub(r"[-_.]+", "-", name).lower(), version) for name, version in pinned}
        if named and {item for item in packages.items() if item[0] not in TOOLS} <= named:
            return record.name, hashlib.sha256(text).hexdigest()
    return UNLOCKED, hashlib.sha256(json.dumps(sorted(packages.items())).encode()).hexdigest()
