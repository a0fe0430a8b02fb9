"""The Python that an implementation runs in, as toolchains ask for it: that of its backend's environment, else the one
that runs accelbench. What is built as an extension is built for that one, with the packages that lie there."""

import os
from dataclasses import replace
from pathlib import Path

from accelbench import environments
from accelbench.toolchains.compiler import BuildError


def of(implementation):
    """The environments.Told of the Python that runs an implementation; BuildError where nothing can."""
    try:
        return environments.told_by(implementation.python)
    except environments.Unusable as problem:
        raise BuildError(f"{environments.shown(implementation.python)} {problem}. {problem.remedy}") from None


def version(implementation, *distributions):
    """Distributions, Python and the environment's lock for a compiler's version text, which is part of the recipe of
    what it builds; BuildError where one is not installed there."""
    python = of(implementation)
    for name in distributions:
        if name.lower() not in python.packages:
            shown = environments.shown(python.path)
            raise BuildError(f"{name} is not installed. Install it: {shown} -m pip install {name.lower()}")
    found = [f"{name} {python.packages[name.lower()]}" for name in distributions]
    locked = [f"{python.lock} {python.digest[:12]}"] if implementation.environment else []
    return ", ".join([*found, f"{python.implementation} {python.version}", *locked])


def include(implementation):
    """The flag that finds Python.h of the Python that runs an implementation; BuildError where it came without."""
    folder = of(implementation).include
    if not Path(folder, "Python.h").is_file():
        raise BuildError(f"Python.h is not in {environments.shown(folder)}: that Python came without its headers")
    return f"-I{folder}"


def without_places(manifest, folder):
    """The Manifest of a KernelFolder without the places of environments, and of what PYTHONPATH names, in commands and
    logs: as where they are activated. Results are read by others."""
    return replace(manifest, artifacts=[_without_place(a, folder.implementations) for a in manifest.artifacts])


def _without_place(artifact, implementations):
    implementation = implementations[artifact.implementation]
    try:
        python = of(implementation) if implementation.environment else None
    except BuildError:
        python = None
    own = [(f"-I{python.include}", "$(python3-config --includes)"), (python.prefix, "$VIRTUAL_ENV")] if python else []
    places = own + [(path, "$PYTHONPATH") for path in os.environ.get("PYTHONPATH", "").split(":") if path[:1] == "/"]

    def shown(text):
        for place, name in places:
            text = text.replace(place, name)
        return text

    return replace(artifact, command=artifact.command and shown(artifact.command), log=shown(artifact.log))
