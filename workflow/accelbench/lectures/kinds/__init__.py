"""The kinds of figures, one module each; accelbench.lectures.kind says what one is."""

import importlib
import pkgutil
from functools import cache

NAMES = tuple(entry.name for entry in pkgutil.iter_modules(__path__))


@cache
def find(name):
    """The Kind called `name`, one of NAMES."""
    module = importlib.import_module(f"{__name__}.{name}")
    return getattr(module, f"{name.title().replace('_', '')}Kind")()
