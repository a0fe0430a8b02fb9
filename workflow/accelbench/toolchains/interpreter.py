"""The Python that an implementation runs in, as toolchains ask for it: that of its backend's environment, else the one
that runs accelbench. What is built as an extension is built for that one, with the packages that lie there."""

from pathlib import Path

from accelbench import environments
from accelbench.toolchains.compiler import BuildError


def of(implementation):
    """The environments.Told of the Python that runs an implementation; BuildError where nothing can."""
    try:
        return environments.told_by(implementation.python)
    except environments.Unusable as problem:
        raise BuildError(f"{implementation.python} {problem}. {problem.remedy}") from None


def version(implementation, *distributions):
    """Distributions and Python for a compiler's version text; BuildError where one is not installed there."""
    python = of(implementation)
    for name in distributions:
        if name.lower() not in python.packages:
            raise BuildError(f"{name} is not installed. Install it: {python.path} -m pip install {name.lower()}")
    found = [f"{name} {python.packages[name.lower()]}" for name in distributions]
    return ", ".join([*found, f"{python.implementation} {python.version}"])


def include(implementation):
    """The flag that finds Python.h of the Python that runs an implementation; BuildError where it came without."""
    folder = of(implementation).include
    if not Path(folder, "Python.h").is_file():
        raise BuildError(f"Python.h is not in {folder}: that Python came without its headers")
    return f"-I{folder}"
