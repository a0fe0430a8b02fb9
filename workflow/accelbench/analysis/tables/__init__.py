"""Tables of one machine's results. Each module of this folder makes the table with its name.

New modules need no registration, since `find` lists the folder. A module has

    COLUMNS          {column: type}, with units in the names
    rows(analysis)   yields {column: value} for each row, in a fixed order; unknown values are None or missing
"""

import importlib
import pkgutil
from functools import cache
from types import ModuleType


@cache
def find() -> dict[str, ModuleType]:
    """Return {name of a table: its module}."""
    return {entry.name: importlib.import_module(f"{__name__}.{entry.name}") for entry in pkgutil.iter_modules(__path__)}
