"""A check that an implementation has not replaced its worker's code, which measures and answers requests."""

import builtins
import contextlib
import os
import sys
import time
import timeit
from operator import is_

import numpy as np

from accelbench.errors import WrongResult


class TamperCheck:
    """Functions and classes of Python's built-ins, clocks, NumPy and this package, recorded by __init__.

    `check` raises an error if a function, its code, a class or a Clock's timer has been replaced since. `check` also
    raises an error if an attribute of one of the worker's objects hides a method, or if the scheduling of this process
    was changed. New names, and changes of plain values such as time.tzname, are allowed. Names that begin with two
    underscores are not checked.
    """

    def __init__(self):
        namespaces = (builtins, time, timeit, timeit.Timer, np, *_package_namespaces())
        self._before = [
            (space, {k: v for k, v in vars(space).items() if callable(v) and not k.startswith("__")})
            for space in namespaces
        ]
        self._codes = [(f, f.__code__) for _, table in self._before for f in table.values() if hasattr(f, "__code__")]
        self._scheduling, self._cores = _scheduling()

    def check(self, worker, clock):
        """Raise WrongResult if code was replaced, including methods of the Worker and the Clock.

        Also raise WrongResult if a thread's priority or scheduling policy changed, or if a thread may use other cores.
        """
        scheduling, cores = _scheduling()
        if scheduling != self._scheduling or not cores <= self._cores:
            raise WrongResult(
                "the implementation changed its priority, scheduling policy or cores, which accelbench sets"
            )
        for function, code in self._codes:
            if function.__code__ is not code:
                raise WrongResult(f"the implementation replaced the code of {function.__qualname__} in the worker")
        for space, before in self._before:
            now = vars(space)
            if not all(map(is_, map(now.get, before), before.values())):
                name = next(name for name, value in before.items() if now.get(name) is not value)
                raise WrongResult(f"the implementation replaced {space.__name__}.{name} in the worker")
        for instance in (worker, clock, clock.call, clock.problem):
            for name in vars(instance).keys() & vars(type(instance)).keys():
                raise WrongResult(f"the implementation replaced {type(instance).__name__}.{name} in the worker")
        if not clock.has_its_timers:
            raise WrongResult("the implementation replaced a timer of the worker's clock")


def _scheduling():
    """Return ({(policy, priority, nice value)}, cores) of all threads.

    `cores` is the union over all threads, since OpenMP may bind a thread to fewer cores.
    """
    treated, cores = set(), set()
    for thread in map(int, os.listdir("/proc/self/task")):
        with contextlib.suppress(ProcessLookupError):  # the thread has ended
            policy, priority = os.sched_getscheduler(thread), os.sched_getparam(thread).sched_priority
            treated.add((policy, priority, os.getpriority(os.PRIO_PROCESS, thread)))
            cores |= os.sched_getaffinity(thread)
    return treated, cores


def _package_namespaces():
    """Yield the modules of this package that the process has loaded, and their classes."""
    for name, module in sorted(sys.modules.items()):
        if name == "__main__" or name.partition(".")[0] == "accelbench":
            yield module
            yield from (v for v in vars(module).values() if isinstance(v, type) and v.__module__ == name)
