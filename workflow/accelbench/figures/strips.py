"""Charts with rows of dots (strips), and charts with rows of ratios and their intervals.

The dots of a row are, for example, the times for different places of the data, or an old and a new value.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from matplotlib.lines import Line2D

from accelbench.analysis.verdicts import Comparison
from accelbench.figures import canvas, chart, style
from accelbench.figures.lines import UNITS, LineChart

REACH = 10  # Intervals are drawn from the lowest value / REACH to the highest value * REACH
PLACES = {  # {place of the data: (fill of its markers, description)}
    "resident": ("full", "data resident"),
    "pinned": ("left", "from page-locked host memory and back"),
    "pageable": ("none", "from pageable host memory and back"),
}
OF_PLACES = tuple(("o", *place) for place in PLACES.values())  # Legend of a Strip with a dot for each of PLACES
PARTLY = {("o", "left"): "◐", ("o", "none"): "○", ("D", "none"): "◇"}  # {(marker, fill): character}


class Dot(NamedTuple):
    """Dot of a Strip.

    value  position on the axis
    words  tooltip
    fill   "full", "left" or "none"
    ends   low and high end of the value's interval, or None
    """

    value: float
    words: str
    color: str
    marker: str = "o"
    fill: str = "full"
    implausible: bool = False
    ends: Sequence[float] | None = None


@dataclass(frozen=True)
class Strip(chart.Chart):
    """Chart with rows of dots, the first row on top. A line joins the dots of each row.

    rows     [(label, Dots of the row)]
    label    label of the axis
    unit     unit of the axis, one of UNITS
    numbers  table of the values
    signs    [(marker, fill, meaning)] for the legend
    texts    texts beside the rows
    host     (implementation, seconds) of a time on the host, drawn as a vertical line; or None
    scale    scale of the axis, "log" or "linear"
    """

    rows: list[tuple[str, list[Dot]]]
    label: str
    unit: str
    numbers: chart.Table | None = None
    signs: tuple = ()
    texts: tuple[str, ...] = ()
    host: tuple[str, float] | None = None
    scale: str = "log"

    def table(self):
        return self.numbers or chart.Table()

    def key(self):
        signs = [
            chart.Sign(PARTLY.get((marker, fill), style.MARKERS[marker]), "var(--ink)", words)
            for marker, fill, words in self.signs
        ]
        colors = [style.theme_variables()[dots[0].color if dots else style.OTHER_LIGHT] for _, dots in self.rows]
        captions = [f"{label}: {text}" for (label, _), text in zip(self.rows, self.texts, strict=False)]
        return signs + [chart.Sign("●", f"var({colors[row]})", words, row) for row, words in enumerate(captions)]

    def points(self):
        return [f"{label}, {dot.words}" for label, dots in self.rows for dot in dots]

    def draw(self):
        figure, axes = canvas.plot_area(canvas.PLOT_WIDTH, canvas.ROW * len(self.rows))
        dots = [(row, dot) for row, (_, row_dots) in enumerate(self.rows) for dot in row_dots]
        values = [dot.value for _, dot in dots] or [1.0]
        for row, (_, row_dots) in enumerate(self.rows):
            axes.plot(
                [dot.value for dot in row_dots],
                [row] * len(row_dots),
                color=row_dots[0].color if row_dots else None,
                alpha=0.5,
            )
        for number, (row, dot) in reversed(list(enumerate(dots))):
            if dot.ends:
                ends = max(dot.ends[0], min(values) / REACH), min(dot.ends[1], max(values) * REACH)
                axes.plot(ends, [row, row], color=dot.color, linewidth=3, alpha=0.35)
            axes.plot([dot.value], [row], gid=f"point{number}", **_look(dot.color, dot.marker, dot.fill))
            if dot.implausible:
                canvas.hatch(axes, [dot.value], [row])
        for row, text in enumerate(self.texts):
            axes.text(
                1.03, row, text, transform=axes.get_yaxis_transform(), va="center_baseline", fontsize=canvas.SMALL
            )
        handles = [Line2D([], [], label=words, linestyle="", **_look(style.INK, *mark)) for *mark, words in self.signs]
        if self.host:
            name, value = self.host
            look = {"color": style.INK, "linewidth": 1, "linestyle": (0, (4, 2)), "zorder": 1.5}
            handles.append(axes.axvline(value, **look, label=f"{name}, {style.seconds(value)}"))
        axes.set(xscale=self.scale, xlabel=self.label)
        if self.scale == "log":
            canvas.decades(axes.xaxis, UNITS[self.unit][1])
        else:
            axes.set_xlim(0, max(1.05 * (self.unit == "%"), axes.get_xlim()[1]))
            axes.xaxis.set_major_formatter(UNITS[self.unit][1])
        canvas.name_rows(axes, [label for label, _ in self.rows], grid="both")
        if self.unit in "x%":
            axes.axvline(1, color=style.INK, linewidth=1.1, zorder=1.5)
        axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=1, frameon=False, borderaxespad=0.1)
        return figure


def _look(color, marker, fill):
    face = style.PAGE if fill == "none" else color
    filled = {"fillstyle": "left" if fill == "left" else "full", "markerfacecoloralt": style.PAGE}
    return {"color": color, "marker": marker, "markersize": 6, "markerfacecolor": face, **filled}


def by_place(times, notes, *, color, marker="o"):
    """Return a Dot for each place of the data. If all times are equal, all Dots are filled.

    times  {place of the data: seconds}
    notes  {place of the data: text to append to the tooltip}
    """
    several = len({*times.values()}) > 1
    return [
        Dot(seconds, f"{PLACES[place][1]}: {style.seconds(seconds)} {notes.get(place, '')}".rstrip(), color, marker,
            PLACES[place][0] if several else "full")
        for place, seconds in times.items()
    ]  # fmt: skip


def ranking(lines, label="time per call"):
    """Return a Strip with a row for each Line, fastest first. A row shows the time at the last point of the Line."""
    ranked = sorted(lines, key=lambda line: line.y[-1])
    points = [(line.y[-1], (line.low or line.y)[-1], (line.high or line.y)[-1]) for line in ranked]
    rows = [
        (line.label, [Dot(y, style.seconds(y), line.look.color, line.look.marker, "full", any(line.implausible), ends)])
        for line, (y, *ends) in zip(ranked, points, strict=True)
    ]
    texts = tuple(style.certain(style.seconds, *point) for point in points)
    return Strip(rows, label, "s", LineChart(ranked, "size").table(), texts=texts)


COLORS = {"FASTER": style.FASTER, "SLOWER": style.SLOWER, "SAME": style.INK, "AMBIGUOUS": style.OTHER_LIGHT}
# Height of a row without a name, and minimum and maximum height of a figure with such rows, in points
DENSE, LEAST, MOST = 2.6, 120, 900
MARGIN = 1.35  # Length of each half of the axis, relative to the largest log ratio


@dataclass(frozen=True)
class Ratios(chart.Chart):
    """Chart with a ratio and its interval in each row, the first row on top.

    comparisons  Comparisons in the order of the rows
    within       maximum relative difference from 1 of a ratio with the verdict SAME
    label        label of the axis
    names        names of the rows; None for rows without names, which have the height DENSE
    """

    comparisons: list[Comparison]
    within: float
    label: str
    names: list[str] | None = None

    def points(self):
        ends = [f" ({style.ratio(c.low)} – {style.ratio(c.high)})" if c.low else "" for c in self.comparisons]
        texts = [style.ratio(c.ratio) + interval for c, interval in zip(self.comparisons, ends, strict=True)]
        return [f"{name}: {text}" for name, text in zip(self.names or [""] * len(texts), texts, strict=True)]

    def draw(self):
        large, rows = self.names is not None, len(self.comparisons)
        size = (canvas.PLOT_WIDTH, canvas.ROW * rows) if large else (420, min(max(DENSE * rows, LEAST), MOST))
        figure, axes = canvas.plot_area(*size)
        furthest = max([2 * self.within, *(abs(math.log(c.ratio)) for c in self.comparisons if c.ratio)]) * MARGIN
        axes.axvspan(1 / (1 + self.within), 1 + self.within, color=style.INK, alpha=0.08, linewidth=0)
        axes.axvline(1, color=style.INK, linewidth=0.9)
        for row, comparison in enumerate(self.comparisons):
            _draw_ratio(axes, row, comparison, furthest=furthest, large=large)
        axes.set(xscale="log", xlabel=self.label)
        axes.set_xlim(canvas.centre(axes.xaxis, furthest))
        canvas.name_rows(axes, self.names or [""] * rows)
        return figure


def _draw_ratio(axes, row, comparison, *, furthest, large):
    color = COLORS.get(comparison.verdict, style.OTHER_LIGHT)
    if comparison.low is not None:
        ends = [max(comparison.low, math.exp(-furthest)), min(comparison.high, math.exp(furthest))]
        axes.plot(ends, [row, row], color=color, linewidth=1.6 if large else 0.7, alpha=0.45, solid_capstyle="butt")
    axes.plot(
        [comparison.ratio],
        [row],
        "o",
        color=color,
        markersize=4.6 if large else 2.4,
        markeredgewidth=0,
        gid=f"point{row}",
    )
