"""The Python that an implementation runs in, as toolchains ask for it: the one that runs accelbench."""

import sys
from dataclasses import dataclass

from accelbench.toolchains import compiler


@dataclass(frozen=True)
class Python:
    """Where it is, and what the names of its extensions end in."""

    path: str
    extension_suffix: str


def of(implementation):
    return Python(sys.executable, compiler.EXTENSION_SUFFIX)


def version(implementation, *distributions):
    """Distributions and Python for a compiler's version text; BuildError where one is not installed there."""
    return ", ".join([*map(compiler.distribution, distributions), compiler.python_version()])


def include(implementation):
    """The flag that finds Python.h of the Python that runs an implementation; BuildError where it came without."""
    return compiler.python_include()
