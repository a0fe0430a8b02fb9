"""Placement: the environment in which each implementation of a kernel runs.

An environment without @ in its name is the home of its backends. The implementations of these backends run there, not
in accelbench's own Python. An environment with @, such as `numba@0.67`, is a contestant: the implementations of its
backends are measured again there, as `numba_njit@0.67`. If a backend needs an environment and the configuration has no
home for this backend, the backend's implementations are left out, except baselines.

If a configuration names several C compilers, each compiler builds all implementations with a toolchain in OF_C, except
baselines and contestants. The names of these implementations then end with the compiler's label, as in
`cffi_api@clang`.
"""

import fnmatch
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

from accelbench import project
from accelbench.environments import interpreter, paths
from accelbench.errors import InputError

OF_C = ("c", "cffi", "cython", "nanobind", "pythran")  # Toolchains that use the C and C++ compilers


@dataclass(frozen=True)
class Environment:
    """An environment of a configuration: its name, the absolute path of its Python, and the backends that run there."""

    name: str
    python: str
    backends: tuple[str, ...]

    @property
    def is_home(self):
        """Return whether this environment is the home of its backends, not a contestant."""
        return "@" not in self.name

    @property
    def install_command(self):
        """The command that installs a missing environment; None if the environment exists or has no lock."""
        made = paths.has_lock(self.name) and self.python == paths.absolute(paths.default_python(self.name))
        return f"make install LOCK={self.name}" if made and not os.path.exists(self.python) else None


def homes(environments):
    """Return {backend: Environment} of the backends whose home is one of these Environments."""
    return {backend: home for home in environments if home.is_home for backend in home.backends}


def place(environments, kernel, compilers=()):
    """Return a KernelFolder in which each implementation has its environment and its C compiler.

    Implementations without a Python to run in are left out, except baselines. Each contestant adds a copy of every
    implementation of its backends. Kernels that measure the machine's peaks use no contestant and only the first
    compiler.

    environments  the Environments of a configuration
    compilers     the configuration's C compilers
    """
    home, is_peak = homes(environments), kernel.path.parent == project.PEAKS
    known = map(_of_any_compiler, (*kernel.implementations.values(), *kernel.left_out.values()))
    plain = list({i.name: i for i in known if "@" not in i.name}.values())
    left_out = {
        i.name: i
        for i in plain
        if i.needed_environment and i.backend not in home and i.name not in kernel.spec.all_baselines
    }
    placed = [_moved(i, home.get(i.backend)) for i in plain if i.name not in left_out]
    for environment in environments:
        if not (environment.is_home or is_peak):
            placed += [_moved(i, environment) for i in plain if i.backend in environment.backends]
    if len(compilers) > 1 and not is_peak:
        of_c = {i.name for i in placed if i.toolchain in OF_C and "@" not in i.name} - kernel.spec.all_baselines
        placed = [_compiled(i, c, of_c) for i in placed for c in (compilers if i.name in of_c else compilers[:1])]
    return replace(kernel, implementations={i.name: i for i in placed}, left_out=left_out)


def _of_any_compiler(implementation):
    """Undo `_compiled`: remove the C compiler, and its label in the name. A contestant's name keeps its version."""
    original, swept = implementation.name, implementation.tuned_by
    name = original.partition("@")[0] if implementation.compiler else original
    return replace(implementation, name=name, tuned_by=swept and swept.partition("@")[0], compiler="")


def _compiled(implementation, compiler, several):
    """Return an Implementation built by a C compiler, with the compiler's label in its name.

    `several` contains the names of the implementations that every compiler builds. Other names get no label. The name
    in `tuned_by` gets its label in the same way.
    """
    original, swept = implementation.name, implementation.tuned_by
    name, tuned_by = (f"{name}@{label(compiler)}" if name in several else name for name in (original, swept))
    return replace(implementation, name=name, tuned_by=tuned_by, compiler=compiler if original in several else "")


def label(compiler):
    """Return the label of a compiler in names of implementations, such as clang14 for /usr/bin/clang-14."""
    return re.sub("[^a-z0-9.]", "", Path(compiler).name.lower())


def _moved(implementation, environment):
    """Return an Implementation that runs in an environment; unchanged if `environment` is None.

    If the environment is a contestant, its version is added to the implementation's name.
    """
    if environment is None:
        return implementation
    _, at, version = environment.name.partition("@")
    name, tuned_by = (named and f"{named}{at}{version}" for named in (implementation.name, implementation.tuned_by))
    where = {"environment": environment.name, "own_python": environment.python}
    return replace(implementation, name=name, tuned_by=tuned_by, **where)


def matching(names, patterns):
    """Return the names of implementations that any pattern matches.

    A pattern without @ is also compared with the part of a name before the @.
    """
    return [n for n in names if any(fnmatch.fnmatchcase(w, p) for p in patterns for w in (n, n.partition("@")[0]))]


def check(environments, where):
    """Raise InputError, with `where` and the key, if workers cannot run in one of the environments.

    A missing environment is no error if `make install` can make it. The environment's cases are then unavailable.
    """
    for environment in environments:
        try:
            interpreter.read(environment.python)
        except InputError as error:
            if not environment.install_command:
                raise InputError(
                    where, f"environments.{environment.name}.python: {error.where} {error.problem}", error.remedy
                ) from None
