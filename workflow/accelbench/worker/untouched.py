"""Whether an implementation has replaced what its worker measures and answers with."""

import builtins
import sys
import time
import timeit
from operator import is_

import numpy as np

from accelbench.errors import WrongResult


class Untouched:
    """The functions and classes that clocks, NumPy and this package's modules and classes hold when this is made, and
    whether they still do; and whether clocks have the timers they had, and nothing in place of a method. New names and
    plain values, such as time.tzname, are nobody's business."""

    def __init__(self):
        namespaces = (builtins, time, timeit, timeit.Timer, np, *_own())
        self._before = [
            (space, {k: v for k, v in vars(space).items() if callable(v) and not k.startswith("__")})
            for space in namespaces
        ]

    def check(self, worker, clock):
        """WrongResult where something was replaced, of the Worker's and a Clock's own things, too."""
        for space, before in self._before:
            now = vars(space)
            if not all(map(is_, map(now.get, before), before.values())):
                name = next(name for name, value in before.items() if now.get(name) is not value)
                raise WrongResult(f"it replaced {space.__name__}.{name} in its process")
        for own in (worker, clock, clock.call, clock.problem):
            for name in vars(own).keys() & vars(type(own)).keys():
                raise WrongResult(f"it replaced {type(own).__name__}.{name} in its process")
        if not clock.has_its_timers:
            raise WrongResult("it replaced a timer of its clock in its process")


def _own():
    """The modules of this package that the process has loaded, the one that it runs among them, and their classes."""
    for name, module in sorted(sys.modules.items()):
        if name == "__main__" or name.partition(".")[0] == "accelbench":
            yield module
            yield from (v for v in vars(module).values() if isinstance(v, type) and v.__module__ == name)
