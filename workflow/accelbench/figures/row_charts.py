"""Rows of points with their intervals: ratios, and what other rows share."""

import math
from dataclasses import dataclass

from matplotlib.ticker import FixedLocator, NullLocator

from accelbench.analysis.verdicts import Comparison
from accelbench.figures import style
from accelbench.figures.canvas import (
    PLOT_WIDTH,
    decades,
    name_rows,
    plot_area,
    short_ratio,
)
from accelbench.figures.chart import Chart
from accelbench.figures.lines import UNITS

ROW = 18  # points a row takes
HOST = {"color": style.INK, "linewidth": 1, "linestyle": (0, (4, 2))}
COLORS = {"FASTER": style.FASTER, "SLOWER": style.SLOWER, "SAME": style.INK, "AMBIGUOUS": style.OTHER_LIGHT}
DENSE, LEAST, MOST = 2.6, 120, 900  # points a row takes where none has, and the height of such a figure
MARGIN = 1.35  # how much further than the furthest ratio the axis goes, in logarithms
TICKS = (0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.4, 2, 5, 10)


def finish(axes, names, *, unit, label, scale="log"):
    """Scale the axis, of a unit of UNITS and with a line at 1 where these are ratios or shares, and name the rows."""
    axes.set(xscale=scale, xlabel=label)
    if scale == "log":
        decades(axes.xaxis, UNITS[unit][1])
    else:
        axes.set_xlim(0, max(1.05 * (unit == "%"), axes.get_xlim()[1]))
        axes.xaxis.set_major_formatter(UNITS[unit][1])
    name_rows(axes, names, grid="both")
    if unit in "x%":
        axes.axvline(1, color=style.INK, linewidth=1.1, zorder=1.5)


@dataclass(frozen=True)
class Ratios(Chart):
    """Comparisons, the first on top: each with its name beside it, or, without `names`, as a curve that is steep at
    both ends and, between equal runs, upright in the middle. `within` is how far from 1 a ratio may be and be SAME."""

    comparisons: list[Comparison]
    within: float
    label: str
    names: list[str] | None = None

    def points(self):
        ends = [f" ({style.ratio(c.low)} – {style.ratio(c.high)})" if c.low else "" for c in self.comparisons]
        told = [style.ratio(c.ratio) + interval for c, interval in zip(self.comparisons, ends, strict=True)]
        return [f"{name}: {text}" for name, text in zip(self.names or [""] * len(told), told, strict=True)]

    def draw(self):
        large, rows = self.names is not None, len(self.comparisons)
        size = (PLOT_WIDTH, ROW * rows) if large else (420, min(max(DENSE * rows, LEAST), MOST))
        figure, axes = plot_area(*size)
        furthest = (
            max([2 * self.within, *(abs(math.log(found.ratio)) for found in self.comparisons if found.ratio)]) * MARGIN
        )
        axes.axvspan(1 / (1 + self.within), 1 + self.within, color=style.INK, alpha=0.08, linewidth=0)
        axes.axvline(1, color=style.INK, linewidth=0.9)
        for row, found in enumerate(self.comparisons):
            _draw_ratio(axes, row, found, furthest=furthest, large=large)
        axes.set(xscale="log", xlim=(math.exp(-furthest), math.exp(furthest)), xlabel=self.label)
        axes.xaxis.set_major_locator(FixedLocator(ticks(furthest)))
        axes.xaxis.set_major_formatter(short_ratio)
        axes.xaxis.set_minor_locator(NullLocator())
        name_rows(axes, self.names or [""] * rows)
        return figure


def _draw_ratio(axes, row, found, *, furthest, large):
    color = COLORS.get(found.verdict, style.OTHER_LIGHT)
    if found.low is not None:
        ends = [max(found.low, math.exp(-furthest)), min(found.high, math.exp(furthest))]
        width = 1.6 if large else 0.7
        axes.plot(ends, [row, row], color=color, linewidth=width, alpha=0.45, solid_capstyle="butt")
    size = 4.6 if large else 2.4
    axes.plot([found.ratio], [row], "o", color=color, markersize=size, markeredgewidth=0, gid=f"point{row}")


def ticks(furthest):
    """Those of TICKS that can be told apart on an axis from exp(-furthest) to exp(furthest)."""
    gap, kept = furthest / 6, [0.0]
    for tick in sorted((math.log(tick) for tick in TICKS if tick != 1), key=abs):
        if abs(tick) <= furthest and min(abs(tick - other) for other in kept) >= gap:
            kept.append(tick)
    return sorted(map(math.exp, kept))
