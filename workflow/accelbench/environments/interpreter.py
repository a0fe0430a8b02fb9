"""Descriptions of Pythons: version, packages and lock (file with pinned versions of packages)."""

import contextlib
import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from accelbench.environments import describe_python, paths
from accelbench.errors import InputError
from accelbench.processes.supervision import ask, inherited

OLDEST = (3, 10)  # Oldest Python version that workers can run in
UNLOCKED, NUMPY = "unlocked", "numpy"
TOOLS = {"pip", "setuptools", "wheel", "accelbench"}  # Packages that locks need not contain
ANSWER_S = 60  # Timeout of the script that describes a Python, in seconds


@dataclass(frozen=True)
class Interpreter:
    """Description of a Python.

    packages     {name: version}
    numpy_fails  reason why the NumPy of this Python cannot be imported, or None
    lock         name of the installed lock that contains all packages; "unlocked" if there is no such lock
    digest       digest of this lock; if there is no such lock, digest of the packages
    """

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
        """The version of NumPy, or None if NumPy is not installed."""
        return self.packages.get(NUMPY)


@cache
def read(python):
    """Return the Interpreter of a Python. Raise InputError if this Python does not work, or cannot run workers."""
    where = paths.shown(python)
    if not os.path.exists(python):
        raise InputError(where, "does not exist", "Make this environment, or name another environment's Python")
    try:
        interpreter = replace(_described(python), path=python)
    except (OSError, ValueError):
        raise InputError(where, "does not work as a Python", "Name the Python of a virtual environment") from None
    is_python = f"is Python {interpreter.version}"
    if tuple(map(int, re.findall(r"\d+", interpreter.version)[:2])) < OLDEST:
        problem = "{}, and workers need {}.{} or newer".format(is_python, *OLDEST)
        raise InputError(where, problem, "Name a newer Python")
    if interpreter.numpy is None:
        raise InputError(
            where,
            f"{is_python} without NumPy, which every worker needs",
            f"Install it there: {where} -m pip install numpy",
        )
    if interpreter.numpy_fails is not None:
        raise InputError(
            where,
            f"{is_python} whose NumPy {interpreter.numpy} cannot be imported ({interpreter.numpy_fails})",
            f"Reinstall it there: {where} -m pip install --force-reinstall numpy=={interpreter.numpy}",
        )
    lock, digest = _lock(Path(interpreter.prefix, "installed"), interpreter.packages)
    return replace(interpreter, lock=lock, digest=digest)


def _described(python):
    if python == sys.executable:
        return Interpreter(**describe_python.describe())
    from pydantic import TypeAdapter  # imported lazily: workers import this module, and have no pydantic

    command = [python, Path(__file__).with_name("describe_python.py")]
    _, words = ask(command, ANSWER_S, stderr=subprocess.DEVNULL, env=inherited())
    return TypeAdapter(Interpreter).validate_json(words)


def _lock(records, packages):
    """Return (name, digest) of the installed lock that contains all of an environment's packages except TOOLS.

    If there is no such lock, return UNLOCKED and the digest of the packages.

    records   folder with copies of the installed locks
    packages  {name: version} of the environment
    """
    for record in filter(Path.is_file, sorted(records.glob("*"))):
        text = record.read_bytes().split(b"\n", 2)[-1]  # without the paths that envs/install.py adds at the top
        pinned = re.findall(r"^([A-Za-z0-9][^=\s]*)==([^\s;\\]+)", text.decode("utf-8", "replace"), re.MULTILINE)
        named = {(re.sub(r"[-_.]+", "-", name).lower(), version) for name, version in pinned}
        if named and {item for item in packages.items() if item[0] not in TOOLS} <= named:
            return record.name, hashlib.sha256(text).hexdigest()
    return UNLOCKED, hashlib.sha256(json.dumps(sorted(packages.items())).encode()).hexdigest()


def version(implementation, *distributions):
    """Return a text with the versions of distributions and Python, for the build recipe of an implementation.

    If the implementation runs in an environment, the text also contains the environment's lock. Raise InputError if a
    distribution is not installed in the Python that runs the implementation.
    """
    python = read(implementation.python)
    for name in distributions:
        if name.lower() not in python.packages:
            install = f"{paths.shown(python.path)} -m pip install {name.lower()}"
            raise InputError(paths.shown(python.path), f"{name} is not installed", f"Install it: {install}")
    versions = [f"{name} {python.packages[name.lower()]}" for name in distributions]
    locked = [f"{python.lock} {python.digest[:12]}"] if implementation.environment else []
    return ", ".join([*versions, f"{python.implementation} {python.version}", *locked])


def include_flag(implementation):
    """Return the compiler flag -I with the include folder of the Python that runs an implementation.

    Raise InputError if this Python has no Python.h.
    """
    folder = read(implementation.python).include
    if not Path(folder, "Python.h").is_file():
        raise InputError(
            paths.shown(folder),
            "has no Python.h",
            "Install Python's headers (Debian, Ubuntu: apt install python3-dev; Fedora: dnf install python3-devel)",
        )
    return f"-I{folder}"


def without_places(manifest, folder):
    """Return a Manifest without paths of environments and of PYTHONPATH in its commands and logs.

    Other people read the results, so variables such as $VIRTUAL_ENV replace these paths.

    folder  the KernelFolder that the Manifest describes
    """
    return replace(manifest, artifacts=[_without_place(a, folder.implementations) for a in manifest.artifacts])


def _without_place(artifact, implementations):
    implementation, names = implementations[artifact.implementation], []
    with contextlib.suppress(InputError):  # raised if the environment no longer exists
        python = read(implementation.python)
        if implementation.environment:
            names = [(f"-I{python.include}", "$(python3-config --includes)"), (python.prefix, "$VIRTUAL_ENV")]
    names += [(path, "$PYTHONPATH") for path in os.environ.get("PYTHONPATH", "").split(":") if path[:1] == "/"]

    def renamed(text):
        for place, name in names:
            text = text.replace(place, name)
        return text

    return replace(artifact, command=artifact.command and renamed(artifact.command), log=renamed(artifact.log))
