"""Rows of dots: times by where the data are, what other blocks cost, shares of the peak, numbers of then and now."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from matplotlib.lines import Line2D

from accelbench.figures import style
from accelbench.figures.canvas import PLOT_WIDTH, SMALL, hatch, plot_area
from accelbench.figures.chart import Chart, Sign, Table
from accelbench.figures.line_charts import SizeLines
from accelbench.figures.row_charts import HOST, ROW, finish

REACH = 10  # how far beyond the values an interval is drawn
PLACES = {  # how much of a mark is filled, what it means
    "resident": ("full", "data resident"),
    "pinned": ("left", "from page-locked host memory and back"),
    "pageable": ("none", "from pageable host memory and back"),
}
OF_PLACES = tuple(("o", *place) for place in PLACES.values())  # their signs
PARTLY = {("o", "left"): "◐", ("o", "none"): "○", ("D", "none"): "◇"}  # what stands for such marks in text


class Dot(NamedTuple):
    """A value, its words, and its look: `fill` is "full", "left" or "none"; `ends` are those of its interval."""

    value: float
    words: str
    color: str
    marker: str = "o"
    fill: str = "full"
    implausible: bool = False
    ends: Sequence[float] | None = None


@dataclass(frozen=True)
class Strip(Chart):
    """Rows of dots, each joined, the first on top.

    rows     [(label, its Dots)]
    label    of the axis, whose `unit` is one of UNITS
    numbers  what stands under it
    signs    [(marker, fill, what it means)]
    texts    beside each row
    host     (name, value) of what all are beside, or None
    scale    of the axis, "log" or "linear"
    """

    rows: list[tuple[str, list[Dot]]]
    label: str
    unit: str
    numbers: Table | None = None
    signs: tuple = ()
    texts: tuple[str, ...] = ()
    host: tuple[str, float] | None = None
    scale: str = "log"

    def table(self):
        return self.numbers or Table()

    def key(self):
        signs = [
            Sign(PARTLY.get((marker, fill), style.MARKERS[marker]), "var(--ink)", words)
            for marker, fill, words in self.signs
        ]
        colors = [style.theme_variables()[dots[0].color if dots else style.OTHER_LIGHT] for _, dots in self.rows]
        told = [f"{label}: {text}" for (label, _), text in zip(self.rows, self.texts, strict=False)]
        return signs + [Sign("●", f"var({colors[row]})", words, row) for row, words in enumerate(told)]

    def points(self):
        return [f"{label}, {dot.words}" for label, dots in self.rows for dot in dots]

    def draw(self):
        figure, axes = plot_area(PLOT_WIDTH, ROW * len(self.rows))
        dots = [(row, dot) for row, (_, own) in enumerate(self.rows) for dot in own]
        values = [dot.value for _, dot in dots] or [1.0]
        for row, (_, own) in enumerate(self.rows):
            axes.plot([dot.value for dot in own], [row] * len(own), color=own[0].color if own else None, alpha=0.5)
        for number, (row, dot) in reversed(list(enumerate(dots))):
            if dot.ends:
                ends = max(dot.ends[0], min(values) / REACH), min(dot.ends[1], max(values) * REACH)
                axes.plot(ends, [row, row], color=dot.color, linewidth=3, alpha=0.35)
            axes.plot([dot.value], [row], gid=f"point{number}", **_look(dot.color, dot.marker, dot.fill))
            if dot.implausible:
                hatch(axes, [dot.value], [row])
        for row, text in enumerate(self.texts):
            axes.text(1.03, row, text, transform=axes.get_yaxis_transform(), va="center_baseline", fontsize=SMALL)
        handles = [Line2D([], [], label=words, linestyle="", **_look(style.INK, *mark)) for *mark, words in self.signs]
        if self.host:
            name, value = self.host
            handles.append(axes.axvline(value, **HOST, zorder=1.5, label=f"{name}, {style.seconds(value)}"))
        finish(axes, [label for label, _ in self.rows], unit=self.unit, label=self.label, scale=self.scale)
        axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=1, frameon=False, borderaxespad=0.1)
        return figure


def _look(color, marker, fill):
    face = style.PAGE if fill == "none" else color
    filled = {"fillstyle": "left" if fill == "left" else "full", "markerfacecoloralt": style.PAGE}
    return {"color": color, "marker": marker, "markersize": 6, "markerfacecolor": face, **filled}


def by_place(times, told, *, color, marker="o"):
    """Return the Dots of {place of the data: seconds}, and of {place: more words}; alike ones are filled."""
    several = len({*times.values()}) > 1
    return [
        Dot(seconds, f"{PLACES[place][1]}: {style.seconds(seconds)} {told.get(place, '')}".rstrip(), color, marker,
            PLACES[place][0] if several else "full")
        for place, seconds in times.items()
    ]  # fmt: skip


def ranking(lines, label="time per call"):
    """Return the Strip of Lines with a point each, of times, the fastest first."""
    ranked = sorted(lines, key=lambda line: line.y[-1])
    points = [(line.y[-1], (line.low or line.y)[-1], (line.high or line.y)[-1]) for line in ranked]
    rows = [
        (line.label, [Dot(y, style.seconds(y), line.look.color, line.look.marker, "full", any(line.implausible), ends)])
        for line, (y, *ends) in zip(ranked, points, strict=True)
    ]
    texts = tuple(style.certain(style.seconds, *point) for point in points)
    return Strip(rows, label, "s", SizeLines(ranked, "size").table(), texts=texts)
