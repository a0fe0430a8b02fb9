"""How figures are drawn: a function each, in a module of this folder or of accelbench.lectures.own.

    def size(entry, results)         of any module here: it draws figures of the kind `size`
    def mask(entry, results)         of own/esrf.py: it draws the figure esrf-mask, which is of no kind
    def observe_mask(parts, machine, scratch)    optional, beside the latter

The former return the views.View of a figure, from its entries.Entry and its measured.FigureResults. An observing
function looks at something beside timings while the figure is measured. It gets the needs.Need of each part, the
Machine and a folder for temporary files. It returns plain data that are added to the figure's measured.json;
FigureResults.observed checks them by a model of the figure's own.
"""

import importlib
import re
from pathlib import Path

HERE, OWN = Path(__file__).parent, Path(__file__).parents[1] / "own"
FUNCTION = re.compile(r"^def ([a-z]\w*)\(entry, results\)", re.MULTILINE)
# {kind: its module} and {id of a figure: its module}. Modules are not imported, since drawing libraries start slowly.
KINDS, FIGURES = (
    {
        (name if folder is HERE else f"{path.stem}-{name}"): f"accelbench.lectures.{folder.name}.{path.stem}"
        for path in sorted(folder.glob("*.py"))
        for name in FUNCTION.findall(path.read_text(encoding="utf-8"))
    }
    for folder in (HERE, OWN)
)
NAMES = tuple(sorted(KINDS))


def find(entry):
    """Return (the function that draws a figure, the one that observes for it or None)."""
    name = entry.kind or entry.id.partition("-")[2]
    module = importlib.import_module(KINDS[name] if entry.kind else FIGURES[entry.id])
    return getattr(module, name), getattr(module, f"observe_{name}", None)
