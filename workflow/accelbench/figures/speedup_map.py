"""Speedups of all implementations for all kernels."""

import math
from dataclasses import dataclass

import pandas as pd

from accelbench.figures import style
from accelbench.figures.canvas import COLUMN, plot_area
from accelbench.figures.cells import draw_cells, frame_cell
from accelbench.figures.chart import Chart, Table

STRONGEST = 3.0  # decades of speedup at which the colour is fullest: 1000x
ROW = 17.5  # points: a cell's height


@dataclass(frozen=True)
class Cell:
    """The speedup, or None with the word that says why; whether it was earned, whether the machine cannot be so fast,
    and whether it is by another algorithm than the kernel's main one; `told` is what the table says beside it."""

    speedup: float | None
    word: str = ""
    sure: bool = True
    implausible: bool | None = False
    told: str = ""
    unlike: bool = False

    @property
    def text(self):
        doubt = " (implausible)" if self.implausible else "" if self.sure else " (not sure)"
        value = self.word if self.speedup is None else f"{style.ratio(self.speedup)}{doubt}"
        return " ".join(filter(None, [value, self.told]))

    @property
    def shade(self):
        """From -1 to 1: slower or faster; the square root shows small differences, too."""
        decades = math.log10(self.speedup or 1)
        return math.copysign(math.sqrt(min(1.0, abs(decades) / STRONGEST)), decades)

    @property
    def written(self):
        """What stands in the cell."""
        if self.speedup is None:
            return self.word
        ratio = f"{self.speedup:.0f}×" if self.speedup >= 9.95 else f"{self.speedup:.2g}×"
        return ratio if self.sure else f"({ratio})"


@dataclass(frozen=True)
class MapRow:
    """An implementation, or a backend's best: its cell of each column, or None."""

    label: str
    color: str
    cells: list[Cell | None]

    @property
    def mean(self):
        """The geometric mean of its speedups; 0 of none."""
        speedups = [math.log(cell.speedup) for cell in self.cells if cell and cell.speedup and not cell.implausible]
        return math.exp(sum(speedups) / len(speedups)) if speedups else 0.0


@dataclass(frozen=True)
class SpeedupMap(Chart):
    """Speedups over NumPy, implementations down and kernels across, the largest geometric mean on top."""

    rows: list[MapRow]
    columns: list[str]

    @property
    def ranked(self):
        return sorted(self.rows, key=lambda row: -row.mean)

    def table(self):
        rows = [[row.label, *(cell.text if cell else "" for cell in row.cells)] for row in self.ranked]
        return Table(["implementation", *self.columns], rows)

    def draw(self):
        rows = self.ranked
        figure, axes = plot_area(COLUMN * len(self.columns), ROW * len(rows))
        shades, texts = (
            pd.DataFrame([map(show, row.cells) for row in rows], [row.label for row in rows], self.columns)
            for show in (lambda cell: cell.shade if cell else None, lambda cell: cell.written if cell else "")
        )
        draw_cells(axes, shades.astype(float), texts, colors=[row.color for row in rows])
        axes.xaxis.tick_top()
        axes.set_xticks(axes.get_xticks(), self.columns, rotation=32, ha="left", rotation_mode="anchor")
        for y, row in enumerate(rows):
            for x, cell in enumerate(row.cells):
                if cell and (cell.implausible or cell.unlike):
                    frame_cell(axes, x, y, hatched=not cell.implausible)
        return figure
