"""Speedups of all implementations for all kernels."""

import math
from dataclasses import dataclass
from itertools import pairwise

from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from accelbench.figures import style
from accelbench.figures.canvas import COLUMN, HATCH, LETTER, SMALL, name_cells, plot_area
from accelbench.figures.chart import Chart, Table

STRONGEST = 3.0  # decades of speedup at which the colour is fullest: 1000x
ROW, APART = 17.5, 1.5  # points: a cell's height, and between two cells


@dataclass(frozen=True)
class Cell:
    """The speedup, or None with the word that says why; whether it was earned, and whether the machine cannot be so
    fast; `told` is what the table says beside it."""

    speedup: float | None
    word: str = ""
    sure: bool = True
    implausible: bool | None = False
    told: str = ""

    @property
    def text(self):
        doubt = " (implausible)" if self.implausible else "" if self.sure else " (not sure)"
        value = self.word if self.speedup is None else f"{style.ratio(self.speedup)}{doubt}"
        return " ".join(filter(None, [value, self.told]))


@dataclass(frozen=True)
class MapRow:
    """An implementation, or a backend's best: its cell of each column, or None."""

    label: str
    color: str
    cells: list[Cell | None]


@dataclass(frozen=True)
class SpeedupMap(Chart):
    """Speedups over NumPy, implementations down and kernels across. `grouped` rules off the backends.

    Colour is transparent at 1x, so that it works on a light and on a dark page.
    """

    rows: list[MapRow]
    columns: list[str]
    grouped: bool = False

    def table(self):
        rows = [[row.label, *(cell.text if cell else "" for cell in row.cells)] for row in self.rows]
        return Table(["implementation", *self.columns], rows)

    def draw(self):
        height, width = ROW * len(self.rows), COLUMN * len(self.columns)
        left = 30 + LETTER * max(len(row.label) for row in self.rows)
        longest = max(map(len, self.columns))
        figure, axes = plot_area(
            left, width, height, right=0.5 * LETTER * longest, top=12 + 0.62 * LETTER * longest, bottom=6
        )
        for y, row in enumerate(self.rows):
            for x, cell in enumerate(row.cells):
                if cell is not None:
                    _write_cell(axes, (x + 0.5, y + 0.5), cell)
        for number, (above, below) in enumerate(pairwise(self.rows), 1):
            if self.grouped and above.color != below.color:
                axes.axhline(number, color=style.INK, linewidth=0.8, alpha=0.5)
        name_cells(axes, self.rows, self.columns, rotation=32, ha="left", rotation_mode="anchor")
        return figure


def _write_cell(axes, place, cell):
    x, y = place
    if cell.speedup is None:
        axes.text(x, y, cell.word, ha="center", va="center", fontsize=SMALL, style="italic", alpha=0.75)
        return
    width, height = 1 - APART / COLUMN, 1 - APART / ROW
    box = (x - width / 2, y - height / 2), width, height
    axes.add_patch(Rectangle(*box, facecolor=_shade(cell.speedup), linewidth=0, clip_on=False))
    if cell.implausible:
        axes.add_patch(Rectangle(*box, fill=False, hatch=HATCH, edgecolor=style.OTHER_LIGHT, linewidth=0))
    ratio = f"{cell.speedup:.0f}×" if cell.speedup >= 9.95 else f"{cell.speedup:.2g}×"
    axes.text(x, y, ratio if cell.sure else f"({ratio})", ha="center", va="center", fontsize=SMALL)


def _shade(speedup):
    """Orange for slower, blue for faster, clear at 1x; the square root shows small differences too."""
    strength = math.sqrt(min(1.0, abs(math.log10(speedup)) / STRONGEST))
    return to_rgba(style.FASTER if speedup > 1 else style.SLOWER, style.FULLEST * strength)
