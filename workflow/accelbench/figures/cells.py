"""Heatmaps with a text in each cell, such as the speedups of all backends for all kernels."""

import math
from dataclasses import dataclass
from statistics import geometric_mean

import pandas as pd
import seaborn
from matplotlib.colors import LinearSegmentedColormap, to_rgba
from matplotlib.patches import Rectangle

from accelbench.figures import canvas, chart, style

# Colours of shades from -1 to 1: orange, transparent, blue. The transparent middle suits both a light and a dark page
SHADES = LinearSegmentedColormap.from_list(
    "shades",
    [
        (0, to_rgba(style.SLOWER, style.FULLEST)),
        (0.5, to_rgba(style.SLOWER, 0)),
        (0.5, to_rgba(style.FASTER, 0)),
        (1, to_rgba(style.FASTER, style.FULLEST)),
    ],
)


def draw_cells(axes, shades, texts, *, colors=()):
    """Draw a heatmap.

    shades  DataFrame of numbers from -1 to 1, which SHADES maps to colours; cells with NaN stay blank
    texts   DataFrame of the texts in the cells
    colors  colours of dots beside the rows
    """
    look = {"linewidths": 1, "linecolor": style.PAGE, "annot_kws": {"color": style.INK, "fontsize": canvas.SMALL}}
    seaborn.heatmap(shades, ax=axes, vmin=-1, vmax=1, cmap=SHADES, annot=texts, fmt="", cbar=False, **look)
    axes.collections[0].set_clip_on(False)  # otherwise every cell of the SVG has a clip path
    axes.set(xlabel="", ylabel="")
    axes.tick_params(length=0)
    axes.tick_params(axis="y", rotation=0, pad=16 if colors else 2)
    for y, color in enumerate(colors):
        axes.plot([-9 / canvas.COLUMN], [y + 0.5], "o", color=color, markersize=6, markeredgewidth=0, clip_on=False)


def frame_cell(axes, x, y, *, hatched):
    """Mark the cell in column x and row y: hatch the cell if `hatched`, otherwise draw a frame around it."""
    look = (
        {"hatch": canvas.HATCH, "edgecolor": style.OTHER_LIGHT, "linewidth": 0}
        if hatched
        else {"edgecolor": style.INK, "linewidth": 2.0}
    )
    axes.add_patch(Rectangle((x, y), 1, 1, fill=False, **look))


STRONGEST = 3.0  # Decimal logarithm of the smallest speedup with the strongest colour, 1000x
ROW = 17.5  # Height of a cell, in points


@dataclass(frozen=True)
class Cell:
    """A cell of the heatmap of speedups.

    speedup      speedup over NumPy; None if unknown
    word         reason why the speedup is unknown
    sure         False if the verdict on the speedup is AMBIGUOUS
    implausible  whether the time is shorter than the machine's peaks (highest measured rates) allow
    note         text beside the speedup in the table
    unlike       whether the implementation's algorithm differs from the kernel's main algorithm
    """

    speedup: float | None
    word: str = ""
    sure: bool = True
    implausible: bool | None = False
    note: str = ""
    unlike: bool = False

    @property
    def text(self):
        doubt = " (implausible)" if self.implausible else "" if self.sure else " (not sure)"
        value = self.word if self.speedup is None else f"{style.ratio(self.speedup)}{doubt}"
        return " ".join(filter(None, [value, self.note]))

    @property
    def shade(self):
        """Return the shade from -1 (slower than NumPy) to 1 (faster). The square root makes small ratios visible."""
        decades = math.log10(self.speedup or 1)
        return math.copysign(math.sqrt(min(1.0, abs(decades) / STRONGEST)), decades)

    @property
    def written(self):
        """Return the text that is drawn in the cell."""
        if self.speedup is None:
            return self.word
        ratio = style.ratio(self.speedup, 3 if self.speedup >= 99.5 else 2)  # from 99.5 on, 123× instead of 120×
        return ratio if self.sure else f"({ratio})"


@dataclass(frozen=True)
class SpeedupMap(chart.Chart):
    """Heatmap of speedups over NumPy, with a row for each backend on a device, and a column for each kernel
    and its options.

    The row with the largest geometric mean of its plausible speedups is on top. Implausible cells have a frame.
    Cells of algorithms other than the kernel's main algorithm are hatched.

    cells    {label of a row: [Cell or None for each column]}
    colors   {label of a row: colour of the backend}
    columns  labels of the columns
    """

    cells: dict[str, list[Cell | None]]
    colors: dict[str, str]
    columns: list[str]

    @property
    def ranked(self):
        def mean(label):
            speedups = [cell.speedup for cell in self.cells[label] if cell and cell.speedup and not cell.implausible]
            return geometric_mean(speedups) if speedups else 0.0

        return {label: self.cells[label] for label in sorted(self.cells, key=mean, reverse=True)}

    def table(self):
        rows = [[label, *(cell.text if cell else "" for cell in row)] for label, row in self.ranked.items()]
        return chart.Table(["implementation", *self.columns], rows)

    def draw(self):
        rows = self.ranked
        figure, axes = canvas.plot_area(canvas.COLUMN * len(self.columns), ROW * len(rows))
        shades, texts = (
            pd.DataFrame([map(show, row) for row in rows.values()], [*rows], self.columns)
            for show in (lambda cell: cell.shade if cell else None, lambda cell: cell.written if cell else "")
        )
        draw_cells(axes, shades.astype(float), texts, colors=[self.colors[label] for label in rows])
        axes.xaxis.tick_top()
        axes.set_xticks(axes.get_xticks(), self.columns, rotation=32, ha="left", rotation_mode="anchor")
        for y, row in enumerate(rows.values()):
            for x, cell in enumerate(row):
                if cell and (cell.implausible or cell.unlike):
                    frame_cell(axes, x, y, hatched=not cell.implausible)
        return figure
