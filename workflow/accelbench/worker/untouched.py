"""Whether an implementation has replaced what its worker measures and answers with."""

import builtins
import time
import timeit

import numpy as np

from accelbench.errors import WrongResult


class Untouched:
    """The functions and classes that `namespaces`, beside clocks and NumPy, hold when this is made, and whether they
    still do. New names and plain values, such as time.tzname, are nobody's business."""

    def __init__(self, *namespaces):
        namespaces = (builtins, time, timeit, timeit.Timer, np, *namespaces)
        self._before = [(space, {k: v for k, v in vars(space).items() if callable(v)}) for space in namespaces]

    def check(self):
        """WrongResult where something was replaced."""
        for space, before in self._before:
            now = vars(space)
            for name, value in before.items():
                if now.get(name) is not value and not name.startswith("__"):
                    raise WrongResult(f"it replaced {space.__name__}.{name} in its process")
