"""What the figures share: sizes and type, axes of a given size, and ticks.

Sizes are in points, which are the units of the SVG: text of 10 points stays readable when a figure of 450 points is
shown on a phone 390 pixels wide. Figures are drawn in the light theme's colours on a transparent page; `svg` makes
those colours follow the reader's theme.
"""

import math

import matplotlib as mpl
from matplotlib import style as matplotlib_style
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

from accelbench.figures import style

TEXT, SMALL = 11.0, 10.0
PLOT_WIDTH, LEFT, TOP, BOTTOM = 270, 68, 22, 44
LINE_HEIGHT, LETTER = 13.0, 6.1  # of text of SMALL points
BETWEEN = 4  # points between labels of an axis
COLUMN = 62  # points a cell of a map is wide
HATCH = "////"  # over what is implausible
HATCHED = "Hatched is what is implausible: faster than this machine can be."
TICKS = {"major.size": 4.8, "major.width": 1.0, "minor.size": 3.2, "minor.width": 0.8}
MOST_DECADES = 3  # of an axis with minor ticks
PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"))


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
            "lines.linewidth": 1.6,
            "lines.markersize": 4.6,
            "lines.solid_capstyle": "round",
            "patch.edgecolor": "white",
            "patch.force_edgecolor": True,
            "patch.linewidth": 0.8,
            **{f"{axis}tick.{what}": points for axis in "xy" for what, points in TICKS.items()},
        }
    )


def plot_area(left: float, width: float, height: float, *, right: float, top: float = TOP, bottom: float = BOTTOM):
    """A Figure whose one Axes has a given size in points inside given margins."""
    total_width, total_height = left + width + right, top + height + bottom
    figure = Figure(figsize=(total_width / 72, total_height / 72))
    box = (left / total_width, bottom / total_height, width / total_width, height / total_height)
    return figure, figure.add_axes(box)


def frame(axes, *sides):
    """Leave of the frame of an axes these sides alone: "left", "bottom"."""
    for side, spine in axes.spines.items():
        spine.set_visible(side in sides)


def drawn(chart):
    """The Figure of a Chart. Of the labels of each axis, those that would touch another are hidden."""
    figure = chart.draw()
    for axes in figure.axes:
        _part(axes.xaxis, 0, 72 / figure.dpi)
        _part(axes.yaxis, 1, 72 / figure.dpi)
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
    """Those of the values whose labels do not touch, the first always: at(value) is where on an axis the middle of its
    label is, wide(value) how much the label takes there, both in points. A page's script has the same rule."""
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
    frame(axes, "bottom")


def name_cells(axes, rows, columns, **look):
    """Make the cells of an axes, each COLUMN wide, those of a map: rows that have a label and a color, the first on
    top, and names of columns above them; `look` is that of these names."""
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows), 0)
    axes.set_xticks([x + 0.5 for x in range(len(columns))], columns, **look)
    axes.set_yticks([y + 0.5 for y in range(len(rows))], [row.label for row in rows])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.tick_params(axis="y", pad=16)
    for y, row in enumerate(rows):
        axes.plot([-9 / COLUMN], [y + 0.5], "o", color=row.color, markersize=6, markeredgewidth=0, clip_on=False)
    frame(axes)
