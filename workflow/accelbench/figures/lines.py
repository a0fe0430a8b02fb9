"""Lines with their labels, as several figures draw them, and their numbers."""

from dataclasses import dataclass, field, replace

import numpy as np
from scipy.optimize import isotonic_regression

from accelbench.figures import style
from accelbench.figures.canvas import (
    BOTTOM,
    HATCHED,
    LEFT,
    LETTER,
    LINE_HEIGHT,
    PLOT_WIDTH,
    SMALL,
    TOP,
    frame,
    hatch,
    plot_area,
)
from accelbench.figures.chart import Chart, Sign, Table

REACH = 2  # how far beyond the values an interval is drawn


@dataclass
class Line:
    """One line of a figure: its label, how it looks, and its points with the ends of their 95 % intervals.

    fewest_threads         the same as another line with fewer threads
    muted        left out of the drawing, where many others are: it stands in the table alone
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


def line_axes(lines, least_height, left=LEFT):
    """Figure and axes with room at the right for every label, and `left` points for the ticks."""
    labels = [line.label for line in lines if not line.muted] + others(lines)
    right = 32 + LETTER * max(map(len, labels))
    height = max(least_height - TOP - BOTTOM, LINE_HEIGHT * len(labels))
    figure, axes = plot_area(left, PLOT_WIDTH, height, right=right)
    axes.grid(axis="y")
    axes.yaxis.set_label_coords(-(left - LINE_HEIGHT) / PLOT_WIDTH, 0.5)  # within the figure, with any ticks
    frame(axes, "left", "bottom")
    return figure, axes


def others(lines):
    """What stands for the lines that are not named in the figure: a list of one label, or none."""
    muted = sum(line.muted for line in lines)
    return [f"and {muted} more: see the numbers"] if muted else []


def draw(axes, lines):
    """Draw the lines; the ids say to which line a part belongs, for the page to tell them apart."""
    for number, line in enumerate(lines):
        if line.muted:
            continue
        marked = [(x, y) for x, y, bad in zip(line.x, line.y, line.implausible, strict=False) if bad]
        if marked:
            hatch(axes, *zip(*marked, strict=True))
        axes.plot(
            line.x, line.y, gid=f"line{number}-curve", linewidth=0.9 if line.fewest_threads else 1.6, **strokes(line)
        )
        if line.low:
            axes.fill_between(
                line.x, line.low, line.high, color=line.look.color, alpha=0.16, linewidth=0, gid=f"line{number}-band"
            )


def strokes(line):
    color, marker, dashes = line.look
    face = style.PAGE if line.fewest_threads else color
    return {"color": color, "marker": marker, "linestyle": dashes, "markerfacecolor": face, "markeredgecolor": color}


def label_ends(axes, lines):
    """Write each line's marker and label beside its end, moved apart as little as keeps them from overlapping."""
    height = axes.get_position().height * axes.figure.get_figheight() * 72
    to_axes = axes.transData + axes.transAxes.inverted()
    ends = [
        (*to_axes.transform((line.x[-1], line.y[-1])), number) for number, line in enumerate(lines) if not line.muted
    ]
    ends.sort(key=lambda end: end[1])
    unnamed = others(lines)
    places = list(spread([0.0] * len(unnamed) + [y for _, y, _ in ends], LINE_HEIGHT / height))
    beside = {"transform": axes.transAxes, "clip_on": False}
    for label in unnamed:
        axes.text(1.1, places.pop(0), label, va="center_baseline", fontsize=SMALL, style="italic", alpha=0.75, **beside)
    for (x, y, number), place in zip(ends, places, strict=True):
        line = lines[number]
        # From a line that ends early it crosses the plot: level and in dots, lest it be taken for more of the line.
        axes.plot(
            [x, 1.015, 1.06], [y, y, place], color=line.look.color, linestyle="-" if x > 0.9 else (0, (1, 3)),
            linewidth=0.6, alpha=0.5, gid=f"line{number}-leader", **beside,
        )  # fmt: skip
        axes.plot([1.075], [place], gid=f"line{number}-marker", **strokes(line), **beside)
        axes.text(1.1, place, line.label, va="center_baseline", fontsize=SMALL, gid=f"line{number}-label", **beside)


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
    """Lines, one an implementation; `x_name` heads the column of labels, `show` writes a value."""

    lines: list[Line]
    x_name = "x"
    lowest_leads = True

    def show(self, value):
        return style.seconds(value)

    def name_of(self, x):
        return style.size(x)

    def table(self):
        """A row a line, a column an x."""
        every = sorted({x for line in self.lines for x in line.x})
        values = [dict(zip(line.x, line.y, strict=True)) for line in self.lines]
        rows = [
            [line.label, *(self.show(own.get(x)) for x in every)] for line, own in zip(self.lines, values, strict=True)
        ]
        return Table([self.x_name, *map(self.name_of, every)], rows)

    def key(self):
        variables = style.theme_variables()
        return [
            Sign(style.MARKERS[line.look.marker], f"var({variables[line.look.color]})", line.label, number)
            for number, line in enumerate(self.lines)
            if not line.muted
        ]

    def leader(self):
        """Which line leads, in words."""
        end = max(line.x[-1] for line in self.lines)
        believed = [line for line in self.lines if line.x[-1] == end and not any(line.implausible[-1:])]
        best = (min if self.lowest_leads else max)(believed, key=lambda line: line.y[-1], default=None)
        words = [HATCHED] if any(any(line.implausible) for line in self.lines) else []
        if best:
            words.insert(0, f"At size {style.size(best.x[-1])} the lead is with {best.label}: {self.show(best.y[-1])}.")
        return " ".join(words)
