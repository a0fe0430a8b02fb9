"""Functions that draw figures, in modules of this folder and of accelbench.lectures.own.

    def size(entry, results)         in any module of this folder: draws figures of the kind `size`
    def mask(entry, results)         in own/esrf.py: draws the figure esrf-mask, which has no kind
    def observe_mask(parts, machine, scratch)    optional, in own/esrf.py: collects further data for esrf-mask

A drawing function returns the views.View of a figure, given the figure's entries.Entry and measured.FigureResults. An
observing function collects data other than timings, after the figure's cases are measured. The arguments of an
observing function are a list with one `needs.Need` per part of the figure, the Machine, and a folder for temporary
files. The observing function returns plain data, which `needs.measure_figure` writes to the figure's measured.json.
FigureResults.observed validates these data with a model that the figure's module defines.
"""

import importlib
import re
from pathlib import Path

HERE, FIGURE_FOLDER = Path(__file__).parent, Path(__file__).parents[1] / "own"
FUNCTION = re.compile(r"^def ([a-z]\w*)\(entry, results\)", re.MULTILINE)
# {kind: name of its module} and {figure id: name of its module}. `find` imports the modules only when they are needed,
# since drawing libraries import slowly.
KINDS, FIGURES = (
    {
        (name if folder is HERE else f"{path.stem}-{name}"): f"accelbench.lectures.{folder.name}.{path.stem}"
        for path in sorted(folder.glob("*.py"))
        for name in FUNCTION.findall(path.read_text(encoding="utf-8"))
    }
    for folder in (HERE, FIGURE_FOLDER)
)
NAMES = tuple(sorted(KINDS))


def find(entry):
    """Return (drawing function of a figure, observing function of the figure or None)."""
    name = entry.kind or entry.id.partition("-")[2]
    module = importlib.import_module(KINDS[name] if entry.kind else FIGURES[entry.id])
    return getattr(module, name), getattr(module, f"observe_{name}", None)
