"""The kinds of figures: a module each, with one function.

view(entry, results)   the views.View of a figure, from its entries.Entry and its measured.FigureResults

A figure that is of no kind has such a module to itself, in accelbench.lectures.own.
"""

import importlib
import pkgutil

from accelbench.lectures import own

NAMES = tuple(module.name for module in pkgutil.iter_modules(__path__))
FIGURES = {module.name.replace("_", "-"): module.name for module in pkgutil.iter_modules(own.__path__)}


def find(entry):
    """Return the module that draws a figure: its kind's, or its own."""
    package, name = (__name__, entry.kind) if entry.kind else (own.__name__, FIGURES[entry.id])
    return importlib.import_module(f"{package}.{name}")
