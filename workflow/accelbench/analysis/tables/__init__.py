"""Tables of one machine's results: a module each, found by its name and registered nowhere else.

A table is the subclass of Row that its module defines: its fields are the columns, with units in their names, and its

    rows(analysis)   makes the rows from an Analysis, in a fixed order
"""

import importlib
import pkgutil
from functools import cache

from accelbench.analysis.rows import Row


@cache
def find() -> dict[str, type[Row]]:
    """{name of a table: the class of its rows}."""
    modules = [importlib.import_module(f"{__name__}.{entry.name}") for entry in pkgutil.iter_modules(__path__)]
    return {
        module.__name__.rpartition(".")[2]: row
        for module in modules
        for row in vars(module).values()
        if isinstance(row, type) and issubclass(row, Row) and row.__module__ == module.__name__
    }
