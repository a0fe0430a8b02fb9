"""What the figures share: sizes and type, axes of a given size, lines with their labels, and ticks.

Sizes are in points, which are the units of the SVG: text of 10 points stays readable when a figure of 450 points is
shown on a phone 390 pixels wide. Figures are drawn in the light theme's colours on a transparent page; `drawing` makes
those colours follow the reader's theme.
"""

import math
from dataclasses import dataclass, field, replace

import matplotlib as mpl
import numpy as np
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator
from scipy.optimize import isotonic_regression

from accelbench.figures import style

TEXT, SMALL = 11.0, 10.0
PLOT_WIDTH, LEFT, TOP, BOTTOM = 270, 62, 22, 44
LINE_HEIGHT, LETTER = 13.0, 6.1
HATCH = "////"  # over what is implausible
HATCHED = "Hatched is what is implausible: faster than this machine can be."
REACH = 2  # how far beyond the values an interval is drawn
MOST_DECADES = 3  # of an axis with minor ticks
PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"))


@dataclass
class Line:
    """One line of a figure: its label, how it looks, and its points with the ends of their 95 % intervals.

    fewest_threads         the same as another line with fewer threads
    muted        drawn in the background, and named in the key alone
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


HATCH = "////"


def use_style():
    """Set matplotlib up once per process."""
    mpl.use("svg")
    sns.set_theme(
        context="paper",
        style="ticks",
        rc={
            "svg.fonttype": "none",
            "svg.hashsalt": "accelbench",
            "pdf.fonttype": 3,  # what 42 does more, subsetting TrueType, takes two thirds of the whole rendering
            "font.size": TEXT,
            "font.sans-serif": ["DejaVu Sans"],
            "axes.labelsize": TEXT,
            "axes.titlesize": TEXT,
            "xtick.labelsize": SMALL,
            "ytick.labelsize": SMALL,
            "legend.fontsize": SMALL,
            "axes.linewidth": 0.7,
            "text.color": style.INK,
            "axes.labelcolor": style.INK,
            "axes.edgecolor": style.INK,
            "xtick.color": style.INK,
            "ytick.color": style.INK,
            "xtick.labelcolor": style.INK,
            "ytick.labelcolor": style.INK,
            "grid.color": style.INK,
            "grid.alpha": 0.12,
            "grid.linewidth": 0.6,
            "hatch.linewidth": 0.5,
            "figure.facecolor": "none",
            "axes.facecolor": "none",
            "savefig.facecolor": "none",
            "lines.linewidth": 1.6,
            "lines.markersize": 4.6,
        },
    )


def canvas(lines, least_height):
    """Figure and axes with room at the right for every label."""
    labels = [line.label for line in lines if not line.muted] + others(lines)
    right = 32 + LETTER * max(map(len, labels))
    height = max(least_height - TOP - BOTTOM, LINE_HEIGHT * len(labels))
    figure, axes = plot_area(LEFT, PLOT_WIDTH, height, right)
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    sns.despine(ax=axes)
    return figure, axes


def plot_area(left: float, width: float, height: float, right: float, top: float = TOP, bottom: float = BOTTOM):
    """A Figure whose one Axes has a given size in points inside given margins."""
    total_width, total_height = left + width + right, top + height + bottom
    figure = Figure(figsize=(total_width / 72, total_height / 72))
    box = (left / total_width, bottom / total_height, width / total_width, height / total_height)
    return figure, figure.add_axes(box)


def others(lines):
    """What stands for the lines that are not named in the figure: a list of one label, or none."""
    muted = sum(line.muted for line in lines)
    return [f"and {muted} more: see the key"] if muted else []


def draw(axes, lines):
    """Draw the lines; the ids say to which line a part belongs, for the page to tell them apart."""
    for number, line in enumerate(lines):
        marked = [(x, y) for x, y, bad in zip(line.x, line.y, line.implausible, strict=False) if bad]
        if marked:
            hatch(axes, *zip(*marked, strict=True))
        if line.muted:
            axes.plot(
                line.x, line.y, gid=f"line{number}-curve", color=line.look.color, linestyle=line.look.dashes,
                linewidth=0.8, alpha=0.4, zorder=1.8,
            )  # fmt: skip
            continue
        axes.plot(
            line.x, line.y, gid=f"line{number}-curve", linewidth=0.9 if line.fewest_threads else 1.6, **strokes(line)
        )
        if line.low:
            axes.fill_between(
                line.x, line.low, line.high, color=line.look.color, alpha=0.16, linewidth=0, gid=f"line{number}-band"
            )


def hatch(axes, x, y):
    """Mark points as implausible."""
    axes.scatter(x, y, s=80, marker="s", facecolors="none", edgecolors=style.OTHER_LIGHT, hatch=HATCH, zorder=4)


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


def decades(axis, formatter):
    """Ticks of a logarithmic axis: decades, with 2 and 5 between where there are few, fewer where there are many.

    Minor ticks only where they are few too: they take a good part of the drawing.
    """
    low, high = axis.get_view_interval()
    subs = (1.0,) if math.log10(high / low) > 2.2 else (1.0, 2.0, 5.0)
    if math.log10(high / low) > MOST_DECADES:
        axis.set_minor_locator(NullLocator())
    axis.set_major_locator(LogLocator(subs=subs, numticks=6 if axis.axis_name == "x" else 20))
    axis.set_major_formatter(FuncFormatter(formatter))
    axis.set_minor_formatter(NullFormatter())


def short_seconds(value, _=None):
    """Seconds for a tick: "10 µs"."""
    if value <= 0:
        return "0"
    units = ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
    factor, unit = next((u for u in units if value >= u[0] * 0.9995), units[-1])
    scaled = value / factor
    return f"{scaled:.0f} {unit}" if scaled >= 99.95 else f"{scaled:.3g} {unit}"


def short_ratio(value, _=None):
    """A ratio for a tick: "0.25×", "1.25×", "120×", "10k×"."""
    if value >= 9999.5:
        return f"{value / 1000:.0f}k×"
    return f"{value:.0f}×" if value >= 99.5 else f"{value:.3g}×"


def short_rate(unit, highest=None):
    """A function from a rate to the text of a tick: "2 TB/s"; with the prefix that suits `highest`, where given."""

    def show(value, _=None):
        suits = value if highest is None else highest
        factor, prefix = next((step for step in PREFIXES if suits >= step[0] * 0.9995), (1, ""))
        return f"{value / factor:.3g} {prefix}{unit}" if value else "0"

    return show


def name_rows(axes, names, grid="x"):
    """Make the rows of an axes those of a list: a name each, the first on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis=grid)
    axes.set_axisbelow(True)
    sns.despine(ax=axes, left=True)


def within_reach(lines):
    """The lines with intervals cut off far beyond all values: one that spans decades would leave the lines no room."""
    lowest, highest = min(min(line.y) for line in lines) / REACH, max(max(line.y) for line in lines) * REACH
    cut = [([max(low, lowest) for low in line.low], [min(high, highest) for high in line.high]) for line in lines]
    return [replace(line, low=low, high=high) for line, (low, high) in zip(lines, cut, strict=True)]
