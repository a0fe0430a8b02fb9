"""Where the implementations of a kernel run: in the environments that a configuration names for their backends, those
of backends with none in the Python that runs accelbench.

An environment without @ in its name is its backends' home: they run there and nowhere else. One with @, `numba@0.67`,
is a contestant: its backends' implementations are measured there once more, as `numba_njit@0.67`. Backends that ask for
an environment are left out where none is named for them.
"""

import fnmatch
import os
import re
import sys
from dataclasses import replace
from typing import Any

from accelbench import backends, environments, project
from accelbench.backends import homes
from accelbench.config.model import Config, OwnPython
from accelbench.errors import InputError
from accelbench.kernels import catalog
from accelbench.kernels.folder import KernelFolder

FORMER = re.compile(r"_native$|(_fast)_math$")


def placed(config: Config, kernel: KernelFolder) -> KernelFolder:
    """The kernel with those implementations that have a Python to run in, contestants' beside them; peaks have none."""
    places, is_peak = config.places.values(), kernel.path.parent == project.PEAKS
    home = environments.homes(places)
    plain = [i for i in kernel.implementations.values() if "@" not in i.name]
    found = [_in(home[i.backend], i) if i.backend in home else i for i in plain if _has_place(i, home, kernel)]
    for place in places:
        if not (place.is_home or is_peak):
            found += [_in(place, i) for i in plain if i.backend in place.backends]
    return replace(kernel, implementations={i.name: i for i in found})


def _has_place(implementation, home, kernel):
    is_baseline = implementation.name in kernel.spec.all_baselines
    return implementation.backend in home or is_baseline or homes.asked_for(implementation.backend) is None


def _in(place, implementation):
    """An implementation in an environment, a contestant under a name of its own."""
    _, at, version = place.name.partition("@")
    name, tuned_by = (named and f"{named}{at}{version}" for named in (implementation.name, implementation.tuned_by))
    return replace(implementation, name=name, tuned_by=tuned_by, environment=place.name, own_python=place.python)


def matching(names, patterns):
    """Those of implementations' names that any of the patterns matches; one without @ speaks of contestants, too. Where
    no implementation has a name of before native was the default, x_native and x_fast_math stand for x and x_fast."""
    names = list(names)
    patterns = [p if p in names or "*" in p else FORMER.sub(lambda m: m[1] or "", p) for p in patterns]
    return [n for n in names if any(fnmatch.fnmatchcase(w, p) for p in patterns for w in (n, n.partition("@")[0]))]


def left_out(kernel: KernelFolder, pattern: str) -> str | None:
    """The environment that an implementation asks for which `pattern` matches and `placed` has left out, or None."""
    for name, implementation in catalog.load(kernel.path).implementations.items():
        if name not in kernel.implementations and fnmatch.fnmatchcase(name, pattern):
            return homes.asked_for(implementation.backend)
    return None


def check(config: Config, where: Any) -> None:
    """InputError, naming `where` and the key, for an environment that workers cannot run in; what an install command
    makes may be missing: its cases then are unavailable, and say so."""
    for name, place in config.places.items():
        try:
            environments.told_by(place.python)
        except environments.Unusable as problem:
            if not place.to_be_made:
                what = f"environments.{name}.python: {environments.shown(place.python)} {problem}"
                raise InputError(where, what, problem.remedy) from None


def everywhere(config: Config) -> Config:
    """The same with a home for every backend that asks for one and has none: the environment that was made for it, else
    the Python that runs accelbench, which may have its library."""
    wanted = {}
    for backend in backends.modules().keys() - environments.homes(config.places.values()).keys():
        wanted.setdefault(homes.asked_for(backend), []).append(backend)
    wanted.pop(None, None)
    added = {}
    for name, several in wanted.items():
        made = os.path.exists(environments.path(environments.home(name)))
        added[name] = OwnPython(python=None if made else sys.executable, backends=sorted(several))
    return config.model_copy(update={"environments": config.environments | added})
