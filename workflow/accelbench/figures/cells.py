"""Maps of cells, numbers as colours with a text in each; speedups of all implementations for all kernels."""

import math
from dataclasses import dataclass
from statistics import geometric_mean

import pandas as pd
import seaborn
from matplotlib.colors import LinearSegmentedColormap, to_rgba
from matplotlib.patches import Rectangle

from accelbench.figures import canvas, chart, style

# From -1 to 1: orange, clear, blue. Clear in the middle works on a light and on a dark page.
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
    """Draw a frame of SHADES with a frame of texts; a missing shade is a blank. Rows have dots of these colours."""
    look = {"linewidths": 1, "linecolor": style.PAGE, "annot_kws": {"color": style.INK, "fontsize": canvas.SMALL}}
    seaborn.heatmap(shades, ax=axes, vmin=-1, vmax=1, cmap=SHADES, annot=texts, fmt="", cbar=False, **look)
    axes.collections[0].set_clip_on(False)  # which would be said of every cell
    axes.set(xlabel="", ylabel="")
    axes.tick_params(length=0)
    axes.tick_params(axis="y", rotation=0, pad=16 if colors else 2)
    for y, color in enumerate(colors):
        axes.plot([-9 / canvas.COLUMN], [y + 0.5], "o", color=color, markersize=6, markeredgewidth=0, clip_on=False)


def frame_cell(axes, x, y, *, hatched):
    """Mark the cell of a column and a row: by a frame, or by lines across it."""
    look = (
        {"hatch": canvas.HATCH, "edgecolor": style.OTHER_LIGHT, "linewidth": 0}
        if hatched
        else {"edgecolor": style.INK, "linewidth": 2.0}
    )
    axes.add_patch(Rectangle((x, y), 1, 1, fill=False, **look))


STRONGEST = 3.0  # decades of speedup at which the colour is fullest: 1000x
ROW = 17.5  # points: a cell's height


@dataclass(frozen=True)
class Cell:
    """The speedup, or None with the word that says why; whether it was earned, whether the machine cannot be so fast,
    and whether it is by another algorithm than the kernel's main one; `note` is what the table says beside it."""

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
class SpeedupMap(chart.Chart):
    """Speedups over NumPy, backends down and kernels across, the largest geometric mean on top.

    cells   {backend's label: its Cell of each column, or None}
    colors  {backend's label: its colour}
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
        rows = [[label, *(cell.text if cell else "" for cell in own)] for label, own in self.ranked.items()]
        return chart.Table(["implementation", *self.columns], rows)

    def draw(self):
        rows = self.ranked
        figure, axes = canvas.plot_area(canvas.COLUMN * len(self.columns), ROW * len(rows))
        shades, texts = (
            pd.DataFrame([map(show, own) for own in rows.values()], [*rows], self.columns)
            for show in (lambda cell: cell.shade if cell else None, lambda cell: cell.written if cell else "")
        )
        draw_cells(axes, shades.astype(float), texts, colors=[self.colors[label] for label in rows])
        axes.xaxis.tick_top()
        axes.set_xticks(axes.get_xticks(), self.columns, rotation=32, ha="left", rotation_mode="anchor")
        for y, own in enumerate(rows.values()):
            for x, cell in enumerate(own):
                if cell and (cell.implausible or cell.unlike):
                    frame_cell(axes, x, y, hatched=not cell.implausible)
        return figure
