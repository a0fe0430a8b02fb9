"""Lines with their labels, as several figures draw them, and their numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from matplotlib.ticker import EngFormatter, NullLocator
from scipy.optimize import isotonic_regression

from accelbench.figures import style
from accelbench.figures.canvas import (
    HATCHED,
    LINE_HEIGHT,
    PLOT_WIDTH,
    SMALL,
    decades,
    frame,
    hatch,
    plot_area,
    short_ratio,
    short_seconds,
)
from accelbench.figures.chart import Chart, Sign, Table

REACH, MOST_MARKS = 2, 60  # how far beyond the values an interval is drawn; ticks of an axis, and markers of a line
# {unit: (how a value is written, how a tick is, what it is of)}
UNITS = {
    "s": (style.seconds, short_seconds, "time per call"),
    "x": (style.ratio, short_ratio, "speedup"),
    "B/s": (partial(style.rate, unit="B/s"), EngFormatter("B/s"), "bandwidth"),
    "%": ("{:.0%}".format, "{x:.0%}", "share"),
    "flop/s": (partial(style.rate, unit="flop/s"), EngFormatter("flop/s"), "computing rate"),
}


@dataclass
class Line:
    """One line of a figure: its label, how it looks, and its points with the ends of their 95 % intervals.

    fewest_threads         the same as another line with fewer threads
    muted        drawn in grey and without its label, where there are many others: the table names it
    implausible  of each point, whether the machine cannot be so fast: those are hatched
    """

    label: str
    look: style.Look
    x: list
    y: list
    low: list = field(default_factory=list)
    high: list = field(default_factory=list)
    fewest_threads: bool = False
    muted: bool = False
    implausible: list = field(default_factory=list)


def draw(axes, lines):
    """Draw the lines; the ids say to which line a part belongs, for the page to tell them apart."""
    for number, line in enumerate(lines):
        if line.muted:
            axes.plot(line.x, line.y, color=style.OTHER_LIGHT, linewidth=0.7, alpha=0.5, zorder=1.6)
            continue
        marked = [(x, y) for x, y, bad in zip(line.x, line.y, line.implausible, strict=False) if bad]
        if marked:
            hatch(axes, *zip(*marked, strict=True))
        width = 0.9 if line.fewest_threads else 1.6
        axes.plot(
            line.x, line.y, gid=f"line{number}-curve", linewidth=width, markevery=len(line.x) // MOST_MARKS + 1,
            **strokes(line),
        )  # fmt: skip
        if line.low:
            band = {"color": line.look.color, "alpha": 0.16, "linewidth": 0}
            axes.fill_between(line.x, line.low, line.high, gid=f"line{number}-band", **band)


def strokes(line):
    color, marker, dashes = line.look
    face = style.PAGE if line.fewest_threads else color
    return {"color": color, "marker": marker, "linestyle": dashes, "markerfacecolor": face, "markeredgecolor": color}


def label_ends(axes, lines):
    """Write each line's marker and label beside its end, moved apart as little as keeps them from overlapping; first
    what stands for all lines in grey."""
    height = axes.get_position().height * axes.figure.get_figheight() * 72
    to_axes = axes.transData + axes.transAxes.inverted()
    named = [(number, line) for number, line in enumerate(lines) if not line.muted]
    ends = [(*to_axes.transform((line.x[-1], line.y[-1])), number, line) for number, line in named]
    ends.sort(key=lambda end: end[1])
    grey = [0.0] * (len(named) < len(lines))
    places = list(spread(grey + [y for _, y, *_ in ends], LINE_HEIGHT / height))
    beside = {"transform": axes.transAxes, "clip_on": False}
    text = {"va": "center_baseline", "fontsize": SMALL, **beside}
    if grey:
        more = f"in grey: {len(lines) - len(named)} more, see the numbers"
        axes.text(1.1, places.pop(0), more, style="italic", alpha=0.75, **text)
    for (x, y, number, line), place in zip(ends, places, strict=True):
        # From a line that ends early it crosses the plot: level and in dots, lest it be taken for more of the line.
        axes.plot(
            [x, 1.015, 1.06], [y, y, place], color=line.look.color, linestyle="-" if x > 0.9 else (0, (1, 3)),
            linewidth=0.6, alpha=0.5, gid=f"line{number}-leader", **beside,
        )  # fmt: skip
        axes.plot([1.075], [place], gid=f"line{number}-marker", **strokes(line), **beside)
        axes.text(1.1, place, line.label, gid=f"line{number}-label", **text)


def spread(places, gap):
    """Ascending places in [0, 1] moved as little as possible (least squares) until neighbours are `gap` apart."""
    offsets = gap * np.arange(len(places))
    moved = isotonic_regression(np.asarray(places) - offsets).x
    return np.clip(moved, 0, max(0.0, 1 - offsets[-1])) + offsets


def within_reach(lines):
    """The lines with intervals cut off far beyond all values: one that spans decades would leave the lines no room."""
    lowest, highest = min(min(line.y) for line in lines) / REACH, max(max(line.y) for line in lines) * REACH
    cut = [([max(low, lowest) for low in line.low], [min(high, highest) for high in line.high]) for line in lines]
    return [replace(line, low=low, high=high) for line, (low, high) in zip(lines, cut, strict=True)]


@dataclass(frozen=True)
class LineChart(Chart):
    """Lines, one an implementation; `x_name` heads the column of labels, `unit` is that of their values, one of UNITS.
    Subclasses `finish` the axes: the height is the least that they have, in points."""

    lines: Sequence[Line]
    x_name = "x"
    unit = "s"
    height = 234

    def show(self, value):
        return UNITS[self.unit][0](value)

    def name_of(self, x):
        return style.size(x)

    def draw(self):
        lines = within_reach(self.lines)
        labels = sum(not line.muted for line in lines) + any(line.muted for line in lines)
        figure, axes = plot_area(PLOT_WIDTH, max(self.height, LINE_HEIGHT * labels))
        axes.grid(axis="y")
        frame(axes, "left", "bottom")
        draw(axes, lines)
        self.finish(axes, lines)
        xs = sorted({x for line in lines for x in line.x})
        axes.set_xticks(xs := xs[:: len(xs) // MOST_MARKS + 1], [self.name_of(x) for x in xs])
        axes.xaxis.set_minor_locator(NullLocator())
        label_ends(axes, lines)
        return figure

    def finish(self, axes, lines):
        """Set the axes' scales and names; what others do not set otherwise is logarithmic upwards."""
        _, ticks, quantity = UNITS[self.unit]
        axes.set(yscale="log", xlabel=self.x_name, ylabel=quantity)
        decades(axes.yaxis, ticks)

    def table(self):
        """A row a line, a column an x."""
        every = sorted({x for line in self.lines for x in line.x})
        rows = []
        for line in self.lines:
            points = zip(line.y, line.low or line.y, line.high or line.y, strict=True)
            own = dict(zip(line.x, points, strict=True))
            rows.append([line.label, *(style.certain(self.show, *own.get(x, [None])) for x in every)])
        return Table([self.x_name, *map(self.name_of, every)], rows)

    def key(self):
        return [
            Sign(style.MARKERS[look.marker], f"var({style.theme_variables()[look.color]})", line.label, number)
            for number, line in enumerate(self.lines)
            for look in [line.look]
            if not line.muted
        ]

    def alt_text(self):
        """Which line leads, in words."""
        end = max(line.x[-1] for line in self.lines)
        believed = [line for line in self.lines if line.x[-1] == end and not any(line.implausible[-1:])]
        best = (min if self.unit == "s" else max)(believed, key=lambda line: line.y[-1], default=None)
        words = [HATCHED] if any(any(line.implausible) for line in self.lines) else []
        if best:
            words.insert(0, f"At size {style.size(best.x[-1])} the lead is with {best.label}: {self.show(best.y[-1])}.")
        return " ".join(words)
