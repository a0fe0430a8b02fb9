"""Line charts with labels at the ends of the lines. The x axis is the problem size, an option or a run's number."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from matplotlib.ticker import EngFormatter, NullLocator
from scipy.optimize import isotonic_regression

from accelbench.figures import canvas, chart, style

# The axis of ratios between runs extends at least from 1 / LEAST_SPAN to LEAST_SPAN. Otherwise, mere noise could fill
# the figure.
LEAST_SPAN = 1.25
# REACH: intervals are drawn from the lowest value / REACH to the highest value * REACH
# MOST_MARKS: maximum number of ticks of an axis, or of markers of a line
REACH, MOST_MARKS = 2, 60
# {unit: (function that formats a value, formatter of ticks, name of the quantity)}
UNITS = {
    "s": (style.seconds, canvas.short_seconds, "time per call"),
    "x": (style.ratio, canvas.short_ratio, "speedup"),
    "B/s": (partial(style.rate, unit="B/s"), EngFormatter("B/s"), "bandwidth"),
    "%": ("{:.0%}".format, "{x:.0%}", "share"),
    "flop/s": (partial(style.rate, unit="flop/s"), EngFormatter("flop/s"), "computing rate"),
}


@dataclass
class Line:
    """Line of a figure: a label, a look, and points with the low and high ends of their intervals.

    fewest_threads  whether the line has the fewest threads among several lines of an implementation on a device
    muted           whether the line is grey and has no label in the figure, since the figure has many lines
    implausible     for each point, whether it is faster than the machine can be; such points are hatched
    implementation  name of the implementation
    size            largest problem size of the line's cases
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
    implementation: str = ""
    size: int = 0


def draw(axes, lines):
    """Draw the lines. The page's script finds the parts of a line by their ids."""
    for number, line in enumerate(lines):
        if line.muted:
            axes.plot(line.x, line.y, color=style.OTHER_LIGHT, linewidth=0.7, alpha=0.5, zorder=1.6)
            continue
        marked = [(x, y) for x, y, bad in zip(line.x, line.y, line.implausible, strict=False) if bad]
        if marked:
            canvas.hatch(axes, *zip(*marked, strict=True))
        width, every = 0.9 if line.fewest_threads else 1.6, len(line.x) // MOST_MARKS + 1
        axes.plot(line.x, line.y, gid=f"line{number}-curve", linewidth=width, markevery=every, **strokes(line))
        if line.low:
            axes.fill_between(
                line.x, line.low, line.high, gid=f"line{number}-band", color=line.look.color, alpha=0.16, linewidth=0
            )


def strokes(line):
    color, marker, dashes = line.look
    return {
        **{"color": color, "marker": marker, "linestyle": dashes, "markeredgecolor": color},
        "markerfacecolor": style.PAGE if line.fewest_threads else color,
    }


def label_ends(axes, lines):
    """Draw the marker and label of each line to the right of the plot, at the height of the line's end.

    Labels that would overlap are moved as little as possible. All grey lines share one label at the bottom.
    """
    height = axes.get_position().height * axes.figure.get_figheight() * 72
    to_axes = axes.transData + axes.transAxes.inverted()
    named = [(number, line) for number, line in enumerate(lines) if not line.muted]
    ends = [(*to_axes.transform((line.x[-1], line.y[-1])), number, line) for number, line in named]
    ends.sort(key=lambda end: end[1])
    grey = [0.0] * (len(named) < len(lines))
    places = list(spread(grey + [y for _, y, *_ in ends], canvas.LINE_HEIGHT / height))
    beside = {"transform": axes.transAxes, "clip_on": False}
    text = {"va": "center_baseline", "fontsize": canvas.SMALL, **beside}
    if grey:
        axes.text(
            1.1, places.pop(0), f"in grey: {len(lines) - len(named)} more, see the numbers",
            style="italic", alpha=0.75, **text,
        )  # fmt: skip
    for (x, y, number, line), place in zip(ends, places, strict=True):
        # A leader joins a line's end to the label. If the line ends far from the label, the leader crosses the plot.
        # Such a leader is dotted, and horizontal inside the plot.
        axes.plot(
            [x, 1.015, 1.06], [y, y, place], color=line.look.color, linestyle="-" if x > 0.9 else (0, (1, 3)),
            linewidth=0.6, alpha=0.5, gid=f"line{number}-leader", **beside,
        )  # fmt: skip
        axes.plot([1.075], [place], gid=f"line{number}-marker", **strokes(line), **beside)
        axes.text(1.1, place, line.label, gid=f"line{number}-label", **text)


def spread(places, gap):
    """Return the ascending heights `places`, shifted to be at least `gap` apart, and within [0, 1] if possible.

    The sum of the squared shifts is as small as possible.
    """
    offsets = gap * np.arange(len(places))
    moved = isotonic_regression(np.asarray(places) - offsets).x
    return np.clip(moved, 0, max(0.0, 1 - offsets[-1])) + offsets


def within_reach(lines):
    """Return the lines with intervals cut off at the lowest value / REACH and the highest value * REACH.

    Wider intervals would extend the axis and flatten the lines.
    """
    lowest, highest = min(min(line.y) for line in lines) / REACH, max(max(line.y) for line in lines) * REACH
    cut = [([max(low, lowest) for low in line.low], [min(high, highest) for high in line.high]) for line in lines]
    return [replace(line, low=low, high=high) for line, (low, high) in zip(lines, cut, strict=True)]


@dataclass(frozen=True)
class LineChart(chart.Chart):
    """Line chart. Its x axis has at most MOST_MARKS ticks, each at a point of a line.

    x_label  label of the x axis
    unit     unit of the values, one of UNITS
    y_label  label of the y axis; None: name of the unit's quantity in UNITS
    caches   (name of a cache, smallest problem size whose working set exceeds the cache), ...
    x_name   name of x, which heads the table's first column: "size", "run" or the name of an option
    height   minimum height of the plot, in points
    """

    lines: Sequence[Line]
    x_label: str
    unit: str = "s"
    y_label: str | None = None
    caches: tuple[tuple[str, float], ...] = ()
    x_name: str = "size"
    height: float = 234

    def show(self, value):
        return UNITS[self.unit][0](value)

    def draw(self):
        lines = within_reach(self.lines)
        labels = sum(not line.muted for line in lines) + any(line.muted for line in lines)
        figure, axes = canvas.plot_area(canvas.PLOT_WIDTH, max(self.height, canvas.LINE_HEIGHT * labels))
        axes.grid(axis="y")
        canvas.frame(axes, "left", "bottom")
        draw(axes, lines)
        self._finish(axes, lines)
        xs = sorted({x for line in lines for x in line.x})
        axes.set_xticks(xs := xs[:: len(xs) // MOST_MARKS + 1], [style.size(x) for x in xs])
        axes.xaxis.set_minor_locator(NullLocator())
        label_ends(axes, lines)
        return figure

    def _finish(self, axes, lines):
        _, ticks, quantity = UNITS[self.unit]
        scale = "log" if self.x_name == "size" else "linear"
        axes.set(xscale=scale, yscale="log", xlabel=self.x_label, ylabel=self.y_label or quantity)
        canvas.decades(axes.yaxis, ticks)
        if self.unit == "x":
            axes.axhline(1, color=style.INK, linewidth=1.1, zorder=1.5)
        if scale == "log" and len({x for line in lines for x in line.x}) == 1:
            axes.set_xlim(lines[0].x[0] / 2, lines[0].x[0] * 2)
        if self.x_name == "run":
            ends = (end for line in lines for end in (LEAST_SPAN, *line.y, *line.low, *line.high))
            axes.set_ylim(canvas.centre(axes.yaxis, 1.1 * max(abs(math.log(end)) for end in ends)))
        for name, size in self.caches:
            axes.axvline(size, color=style.INK, alpha=0.3, linewidth=0.8, linestyle=(0, (2, 3)))
            place = {"xycoords": ("data", "axes fraction"), "xytext": (0, 2), "ha": "center", "va": "bottom"}
            axes.annotate(name, (size, 1), **place, alpha=0.65, **canvas.BESIDE)

    def table(self):
        """Return a Table of the values, with a row per line and a column per x."""
        every = sorted({x for line in self.lines for x in line.x})
        rows = []
        for line in self.lines:
            points = zip(line.y, line.low or line.y, line.high or line.y, strict=True)
            points_by_x = dict(zip(line.x, points, strict=True))
            rows.append([line.label, *(style.certain(self.show, *points_by_x.get(x, [None])) for x in every)])
        return chart.Table([self.x_name, *map(style.size, every)], rows)

    def key(self):
        return [
            chart.Sign(style.MARKERS[look.marker], f"var({style.theme_variables()[look.color]})", line.label, number)
            for number, line in enumerate(self.lines)
            for look in [line.look]
            if not line.muted
        ]

    def alt_text(self):
        """Return a sentence that names the best line at the largest x.

        If a point is implausible, a second sentence explains the hatching.
        """
        end = max(line.x[-1] for line in self.lines)
        believed = [line for line in self.lines if line.x[-1] == end and not any(line.implausible[-1:])]
        best = (min if self.unit == "s" else max)(believed, key=lambda line: line.y[-1], default=None)
        words = [canvas.HATCHED] if any(any(line.implausible) for line in self.lines) else []
        if best:
            words.insert(0, f"At size {style.size(best.x[-1])}, the best is {best.label}: {self.show(best.y[-1])}.")
        return " ".join(words)
