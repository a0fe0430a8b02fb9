"""Placement: in which environment each implementation of a kernel runs.

An environment without @ in its name is the home of its backends, which run nowhere else. One with @, `numba@0.67`, is a
contestant: the implementations of its backends are measured there once more, as `numba_njit@0.67`. A backend that needs
an environment is left out if the configuration names none for it.

If a configuration names several C compilers, each of them makes the implementations of C, as `cffi_api@clang`.
"""

import fnmatch
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

from accelbench import project
from accelbench.environments import interpreter, paths
from accelbench.errors import InputError

OF_C = ("c", "cffi", "cython", "nanobind", "pythran")  # toolchains that the C and C++ compilers serve


@dataclass(frozen=True)
class Environment:
    """An environment of a configuration: its name, the absolute path of its Python, the backends that run there."""

    name: str
    python: str
    backends: tuple[str, ...]

    @property
    def is_home(self):
        """Return whether its backends run nowhere else."""
        return "@" not in self.name

    @property
    def install_command(self):
        """The command that makes it if it is missing, None if it is there or no lock makes it."""
        made = paths.has_lock(self.name) and self.python == paths.absolute(paths.default_python(self.name))
        return f"make install LOCK={self.name}" if made and not os.path.exists(self.python) else None


def homes(environments):
    """Return {backend: Environment} of the backends that run in one of these and nowhere else."""
    return {backend: each for each in environments if each.is_home for backend in each.backends}


def place(environments, kernel, compilers=()):
    """Return a KernelFolder with the implementations that have a Python to run in, those of contestants included.

    environments  the Environments of a configuration. The machine's peaks have no contestants
    compilers     its C compilers. If there are several, each makes the implementations of C but baselines
    """
    home, is_peak = homes(environments), kernel.path.parent == project.PEAKS
    known = map(_of_any_compiler, (*kernel.implementations.values(), *kernel.left_out.values()))
    plain = list({i.name: i for i in known if "@" not in i.name}.values())
    left_out = {
        i.name: i
        for i in plain
        if i.needed_environment and i.backend not in home and i.name not in kernel.spec.all_baselines
    }
    found = [_moved(i, home.get(i.backend)) for i in plain if i.name not in left_out]
    for each in environments:
        if not (each.is_home or is_peak):
            found += [_moved(i, each) for i in plain if i.backend in each.backends]
    if len(compilers) > 1 and not is_peak:
        of_c = {i.name for i in found if i.toolchain in OF_C and "@" not in i.name} - kernel.spec.all_baselines
        found = [_compiled(i, c, of_c) for i in found for c in (compilers if i.name in of_c else compilers[:1])]
    return replace(kernel, implementations={i.name: i for i in found}, left_out=left_out)


def _of_any_compiler(implementation):
    """Return an Implementation as it was before each C compiler got its own. A contestant stays one."""
    own, swept = implementation.name, implementation.tuned_by
    name = own.partition("@")[0] if implementation.compiler else own
    return replace(implementation, name=name, tuned_by=swept and swept.partition("@")[0], compiler="")


def _compiled(implementation, compiler, several):
    """Return an Implementation as a C compiler makes it, if it is one of `several`, and tuned by a sweep of that one.

    `several` are the names of implementations that each compiler makes. The sweep of any other is the first compiler's.
    """
    own, swept = implementation.name, implementation.tuned_by
    name, tuned_by = (f"{name}@{label(compiler)}" if name in several else name for name in (own, swept))
    return replace(implementation, name=name, tuned_by=tuned_by, compiler=compiler if own in several else "")


def label(compiler):
    """Return what names of implementations call a compiler: clang14 for /usr/bin/clang-14."""
    return re.sub("[^a-z0-9.]", "", Path(compiler).name.lower())


def _moved(implementation, environment):
    """Return an Implementation in an environment, that of a contestant under another name."""
    if environment is None:
        return implementation
    _, at, version = environment.name.partition("@")
    name, tuned_by = (named and f"{named}{at}{version}" for named in (implementation.name, implementation.tuned_by))
    where = {"environment": environment.name, "own_python": environment.python}
    return replace(implementation, name=name, tuned_by=tuned_by, **where)


def matching(names, patterns):
    """Return the names of implementations that any pattern matches. One without @ matches contestants, too."""
    return [n for n in names if any(fnmatch.fnmatchcase(w, p) for p in patterns for w in (n, n.partition("@")[0]))]


def check(environments, where):
    """Raise InputError, naming `where` and the key, for an environment that workers cannot run in.

    An environment may be missing if a lock makes it. Its cases are then unavailable.
    """
    for each in environments:
        try:
            interpreter.read(each.python)
        except InputError as error:
            if not each.install_command:
                raise InputError(
                    where, f"environments.{each.name}.python: {error.where} {error.problem}", error.remedy
                ) from None
