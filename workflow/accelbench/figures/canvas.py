"""Sizes, fonts, axes and ticks that all figures share.

Sizes are in points, the units of the SVG, unless a comment names another unit. On a phone 390 pixels wide, text of 10
points is readable in a figure 450 points wide. Labels are outside the axes, and saved figures are enlarged to contain
them. Figures have the light theme's colours and a transparent background, which PNG files replace by white. The module
`svg` replaces the colours by variables of the reader's theme.
"""

import math
import textwrap

import matplotlib as mpl
from matplotlib import style as matplotlib_style
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, FixedLocator, LogLocator, NullFormatter, NullLocator

from accelbench.figures import style

TEXT, SMALL = 11.0, 10.0  # Font sizes, in points
PLOT_WIDTH = 270  # Width of a plot without labels, in points
ROW = 18  # Height of a chart's row, in points
MARGIN = 6 / 72  # Margin around a figure, in inches
LINE_HEIGHT, LETTER = 13.0, 6.1  # Height of a line and width of a letter in text of SMALL points, in points
BETWEEN = 4  # Minimum gap between labels of an axis, in points
FEWEST_LETTERS = 64  # Length in characters up to which a line of a heading is never wrapped
COLUMN = 62  # Width of a heatmap's cell, in points
HATCH = "////"  # Hatching of implausible points, and of heatmap cells with another algorithm than the main one
HATCHED = "Hatched: implausible, faster than this machine can be."
TICKS = {"major.size": 4.8, "major.width": 1.0, "minor.size": 3.2, "minor.width": 0.8}
# Possible ticks of an axis of ratios with 1 in the middle
RATIOS = (0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.4, 2, 5, 10)
MOST_DECADES = 3  # Maximum length of an axis with minor ticks, in decades
BESIDE = {"textcoords": "offset points", "fontsize": SMALL}  # Options of annotations at an offset in points
short_seconds = EngFormatter("s")  # Function from seconds to the text of a tick: "10 µs"


def use_style():
    """Set Matplotlib's style. Call this once per process."""
    mpl.use("svg")
    matplotlib_style.use(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": "accelbench",
            "pdf.fonttype": 3,  # type 42 would subset TrueType fonts, which takes two thirds of the rendering time
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
    """Return a Figure and one Axes per height, below one another. Sizes and the `gap` between Axes are in points."""
    figure = Figure(figsize=(width / 72, (sum(heights) + gap * (len(heights) - 1)) / 72))
    grid = {"left": 0, "right": 1, "bottom": 0, "top": 1, "height_ratios": heights}
    grid |= {"hspace": gap * len(heights) / sum(heights)}
    return figure, *figure.subplots(len(heights), squeeze=False, gridspec_kw=grid)[:, 0]


def frame(axes, *sides):
    """Show only the given sides of the frame of an axes, such as "left" and "bottom"."""
    for side, spine in axes.spines.items():
        spine.set_visible(side in sides)


def drawn(chart, *heading):
    """Draw a Chart and return its Figure, with the texts `heading` above it. The first text is bold."""
    figure = chart.draw()
    for axes in figure.axes:
        _part(axes.xaxis, 0, 72 / figure.dpi)
        _part(axes.yaxis, 1, 72 / figure.dpi)
    box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    letters = max(FEWEST_LETTERS, int(72 * box.width / LETTER))
    lines = [(line, text is heading[0]) for text in heading for line in textwrap.wrap(text, letters)]
    for number, (line, bold) in enumerate(reversed(lines)):
        look = {"fontsize": SMALL, "fontweight": "bold" if bold else "normal", "parse_math": False}
        place = box.x0 / width, (box.y1 + (number + 0.7) * LINE_HEIGHT / 72) / height
        figure.text(*place, line, gid=f"heading{number}", **look)
    return figure


def _part(axis, side, scale):
    """Hide tick labels that would touch other tick labels. Slanted labels stay visible, since they need less space."""
    low, high = sorted(axis.get_view_interval())
    labels = [label for label in axis.get_majorticklabels() if low <= label.get_position()[side] <= high]
    labels = [label for label in labels if label.get_text() and label.get_rotation() == 0]
    at = {label: label.get_transform().transform(label.get_position())[side] * scale for label in labels}
    wide = {label: LETTER * max(map(len, label.get_text().split("\n"))) for label in labels}
    visible_labels = legible(reversed(labels), at.get, wide.get if side == 0 else lambda _: LINE_HEIGHT - BETWEEN)
    for label in labels:
        label.set_visible(label in visible_labels)


def legible(values, at, wide):
    """Return `values` in order. Omit a value if its label would touch the label of an earlier returned value.

    report/static/decide_page.js has the same rule.

    at    function from a value to the middle of its label on the axis, in points
    wide  function from a value to the width of its label along the axis, in points
    """
    legible_values = []
    for value in values:
        if all(abs(at(value) - at(other)) >= (wide(value) + wide(other)) / 2 + BETWEEN for other in legible_values):
            legible_values.append(value)
    return legible_values


def hatch(axes, x, y):
    """Draw a hatched square at each point, which marks the point as implausible."""
    axes.scatter(x, y, s=80, marker="s", facecolors="none", edgecolors=style.OTHER_LIGHT, hatch=HATCH, zorder=4)


def decades(axis, formatter):
    """Set the ticks of a logarithmic axis: powers of 10.

    An axis of at most 2.2 decades also has ticks at 2 and 5 times these powers. An axis longer than MOST_DECADES has no
    minor ticks, since these take long to draw.
    """
    low, high = axis.get_view_interval()
    subs = (1.0,) if math.log10(high / low) > 2.2 else (1.0, 2.0, 5.0)
    if math.log10(high / low) > MOST_DECADES:
        axis.set_minor_locator(NullLocator())
    axis.set_major_locator(LogLocator(subs=subs, numticks=6 if axis.axis_name == "x" else 20))
    axis.set_major_formatter(formatter)
    axis.set_minor_formatter(NullFormatter())


def centre(axis, furthest):
    """Set the ticks of an axis of ratios that has 1 in the middle. Return the limits of the axis.

    The limits are exp(-furthest) and exp(furthest). Logarithms of ticks differ by at least furthest / 6.
    """
    ticks = [0.0]
    for tick in sorted((math.log(tick) for tick in RATIOS if tick != 1), key=abs):
        if abs(tick) <= furthest and min(abs(tick - other) for other in ticks) >= furthest / 6:
            ticks.append(tick)
    axis.set_major_locator(FixedLocator(sorted(map(math.exp, ticks))))
    axis.set_major_formatter(short_ratio)
    axis.set_minor_locator(NullLocator())
    return math.exp(-furthest), math.exp(furthest)


def short_ratio(value, _=None):
    """Return a ratio as the text of a tick: "0.25×", "1.25×", "120×", "10k×"."""
    if value >= 9999.5:
        return f"{value / 1000:.0f}k×"
    return f"{value:.0f}×" if value >= 99.5 else f"{value:.3g}×"


def name_rows(axes, names, grid="x"):
    """Label the rows of an axes with names, the first on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis=grid)
    frame(axes, "bottom")
