"""Tables of one machine's results: a module each, found by its name and registered nowhere else.

A module has

    COLUMNS          {column: type}, with units in the names
    rows(analysis)   {column: value} of each row, in a fixed order; what is not known is None, or left out
"""

import importlib
import pkgutil
from functools import cache
from types import ModuleType


@cache
def find() -> dict[str, ModuleType]:
    """{name of a table: its module}."""
    return {entry.name: importlib.import_module(f"{__name__}.{entry.name}") for entry in pkgutil.iter_modules(__path__)}
