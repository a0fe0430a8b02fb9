"""What the figures share: sizes and type, axes of a given size, and ticks.

Sizes are in points, which are the units of the SVG: text of 10 points stays readable when a figure of 450 points is
shown on a phone 390 pixels wide. Labels stand outside the axes, and the file of a figure is as large as they need.
Figures are drawn in the light theme's colours on a transparent page; `svg` makes those colours follow the reader's
theme.
"""

import math
import textwrap

import matplotlib as mpl
from matplotlib import style as matplotlib_style
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, FixedLocator, LogLocator, NullFormatter, NullLocator

from accelbench.figures import style

TEXT, SMALL = 11.0, 10.0
PLOT_WIDTH = 270
ROW = 18  # height of a row, in points
MARGIN = 6 / 72  # around a figure, in inches
LINE_HEIGHT, LETTER = 13.0, 6.1  # of text of SMALL points
BETWEEN = 4  # points between labels of an axis
FEWEST_LETTERS = 64  # of a heading in a line
COLUMN = 62  # points a cell of a map is wide
HATCH = "////"  # over what is implausible
HATCHED = "Hatched is what is implausible: faster than this machine can be."
TICKS = {"major.size": 4.8, "major.width": 1.0, "minor.size": 3.2, "minor.width": 0.8}
# Ticks of an axis of ratios with 1 in its middle
RATIOS = (0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.4, 2, 5, 10)
MOST_DECADES = 3  # of an axis with minor ticks
BESIDE = {"textcoords": "offset points", "fontsize": SMALL}  # of texts at a distance in points from what they are about
short_seconds = EngFormatter("s")  # a function from seconds to the text of a tick: "10 µs"


def use_style():
    """Set matplotlib up once per process."""
    mpl.use("svg")
    matplotlib_style.use(
        {
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
            "axes.axisbelow": True,
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
            "savefig.bbox": "tight",
            "savefig.pad_inches": MARGIN,
            "lines.linewidth": 1.6,
            "lines.markersize": 4.6,
            "lines.solid_capstyle": "round",
            "patch.edgecolor": "white",
            "patch.force_edgecolor": True,
            "patch.linewidth": 0.8,
            **{f"{axis}tick.{what}": points for axis in "xy" for what, points in TICKS.items()},
        }
    )


def plot_area(width: float, *heights: float, gap: float = 14):
    """Return a Figure of Axes below one another with a `gap` between them, each as wide and as high as given in points;
    the Figure, then the Axes."""
    total = sum(heights) + gap * (len(heights) - 1)
    figure = Figure(figsize=(width / 72, total / 72))
    grid = {"left": 0, "right": 1, "bottom": 0, "top": 1, "height_ratios": heights}
    grid |= {"hspace": gap * len(heights) / sum(heights)}
    return figure, *figure.subplots(len(heights), squeeze=False, gridspec_kw=grid)[:, 0]


def frame(axes, *sides):
    """Leave of the frame of an axes these sides alone: "left", "bottom"."""
    for side, spine in axes.spines.items():
        spine.set_visible(side in sides)


def drawn(chart, *heading):
    """Return the Figure of a Chart, with the texts of a heading above it, the first in bold. Of the labels of each
    axis, those that would touch another are hidden."""
    figure = chart.draw()
    for axes in figure.axes:
        _part(axes.xaxis, 0, 72 / figure.dpi)
        _part(axes.yaxis, 1, 72 / figure.dpi)
    box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    letters = max(FEWEST_LETTERS, int(72 * box.width / LETTER))
    lines = [(line, text is heading[0]) for text in heading for line in textwrap.wrap(text, letters)]
    for number, (line, bold) in enumerate(reversed(lines)):
        look = {"fontsize": SMALL, "fontweight": "bold" if bold else "normal", "parse_math": False}
        y = box.y1 + (number + 0.7) * LINE_HEIGHT / 72
        figure.text(box.x0 / width, y / height, line, gid=f"heading{number}", **look)
    return figure


def _part(axis, side, scale):
    """Slanted labels are left as they are: these may stand closer."""
    low, high = sorted(axis.get_view_interval())
    labels = [label for label in axis.get_majorticklabels() if low <= label.get_position()[side] <= high]
    labels = [label for label in labels if label.get_text() and label.get_rotation() == 0]
    at = {label: label.get_transform().transform(label.get_position())[side] * scale for label in labels}
    wide = {label: LETTER * max(map(len, label.get_text().split("\n"))) for label in labels}
    kept = legible(reversed(labels), at.get, wide.get if side == 0 else lambda _: LINE_HEIGHT - BETWEEN)
    for label in labels:
        label.set_visible(label in kept)


def legible(values, at, wide):
    """Return those of the values whose labels do not touch, the first always: at(value) is where on an axis the middle
    of its label is, wide(value) how much the label takes there, both in points. A page's script has the same rule."""
    kept = []
    for value in values:
        if all(abs(at(value) - at(other)) >= (wide(value) + wide(other)) / 2 + BETWEEN for other in kept):
            kept.append(value)
    return kept


def hatch(axes, x, y):
    """Mark points as implausible."""
    axes.scatter(x, y, s=80, marker="s", facecolors="none", edgecolors=style.OTHER_LIGHT, hatch=HATCH, zorder=4)


def decades(axis, formatter):
    """Ticks of a logarithmic axis: decades, with 2 and 5 between where there are few, fewer where there are many.

    Minor ticks only where they are few too: they take a good part of the drawing.
    """
    low, high = axis.get_view_interval()
    subs = (1.0,) if math.log10(high / low) > 2.2 else (1.0, 2.0, 5.0)
    if math.log10(high / low) > MOST_DECADES:
        axis.set_minor_locator(NullLocator())
    axis.set_major_locator(LogLocator(subs=subs, numticks=6 if axis.axis_name == "x" else 20))
    axis.set_major_formatter(formatter)
    axis.set_minor_formatter(NullFormatter())


def centre(axis, furthest):
    """Return the limits of an axis of ratios, exp(-furthest) and exp(furthest). Set ticks that can be told apart."""
    kept = [0.0]
    for tick in sorted((math.log(tick) for tick in RATIOS if tick != 1), key=abs):
        if abs(tick) <= furthest and min(abs(tick - other) for other in kept) >= furthest / 6:
            kept.append(tick)
    axis.set_major_locator(FixedLocator(sorted(map(math.exp, kept))))
    axis.set_major_formatter(short_ratio)
    axis.set_minor_locator(NullLocator())
    return math.exp(-furthest), math.exp(furthest)


def short_ratio(value, _=None):
    """Return a ratio for a tick: "0.25×", "1.25×", "120×", "10k×"."""
    if value >= 9999.5:
        return f"{value / 1000:.0f}k×"
    return f"{value:.0f}×" if value >= 99.5 else f"{value:.3g}×"


def name_rows(axes, names, grid="x"):
    """Make the rows of an axes those of a list: a name each, the first on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis=grid)
    frame(axes, "bottom")
