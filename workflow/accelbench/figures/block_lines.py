"""Time or rate against the block size."""

from dataclasses import dataclass, field, replace
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

from accelbench.figures import style
from accelbench.figures.canvas import (
    BOTTOM,
    LETTER,
    LINE_HEIGHT,
    PLOT_WIDTH,
    SMALL,
    decades,
    frame,
    legible,
    short_rate,
    short_seconds,
)
from accelbench.figures.lines import Line, LineChart, draw, label_ends, others, strokes, within_reach

LEFT, LINES_HEIGHT, OCCUPANCY_HEIGHT, GAP, KEY_HEIGHT = 78, 190, 62, 14, 34
WIDE_SPREAD = 20  # a logarithmic axis from this ratio of times on
QUANTITIES = {"s": "time per call", "B/s": "bandwidth", "flop/s": "computing rate"}


@dataclass
class BlockLine(Line):
    """A line over block sizes. `best` is the x of the best, `tie` holds those of all it cannot be told from."""

    best: float | None = None
    tie: list = field(default_factory=list)
    occupancy: list = field(default_factory=list)


@dataclass(frozen=True)
class BlockLines(LineChart):
    """Lines of times or rates at one problem size or several, occupancy beneath where it is known.

    ticks  {x: block size}: x is the base-2 logarithm of the number of threads, or the place among two-dimensional ones
    unit   "s" for times; "B/s" or "flop/s" for rates
    peak   the device's peak in that unit
    """

    lines: list[BlockLine]
    ticks: dict[float, str]
    unit: str = "s"
    peak: float | None = None
    x_name = "block size"

    def show(self, value):
        return style.seconds(value) if self.unit == "s" else style.rate(value, self.unit)

    def name_of(self, x):
        return self.ticks[x]

    def draw(self):
        upper, lower = _two_axes(self.lines)
        lines = within_reach(self.lines)
        draw(upper, [replace(line, look=line.look._replace(marker="")) for line in lines])
        for number, line in enumerate(self.lines):
            if not line.muted:
                _mark_points(upper, line, number)
        self._value_axis(upper, lines)
        if self.peak:
            _draw_peak(upper, self.peak, self.unit)
        label_ends(upper, self.lines)
        _key_of_marks(upper, self.lines)
        axes = upper if lower is None else lower
        if lower is not None:
            _draw_occupancy(lower, [line for line in self.lines if not line.muted])
            upper.tick_params(axis="x", labelbottom=False)
        for each in {upper, axes}:
            each.xaxis.set_major_locator(FixedLocator(_legible(self.ticks)))
            each.xaxis.set_minor_locator(FixedLocator(list(self.ticks)))
            each.xaxis.set_minor_formatter(NullFormatter())
            each.set_xlim(min(self.ticks) - 0.25, max(self.ticks) + 0.25)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: self.ticks.get(x, "")))
        axes.set_xlabel("block size (threads per block)")
        return upper.figure

    def _value_axis(self, axes, lines):
        values = [y for line in lines for y in line.y]
        if self.unit == "s" and max(values) > WIDE_SPREAD * min(values):
            axes.set_yscale("log")
            decades(axes.yaxis, short_seconds)
        else:
            highest = max(high for line in lines for high in line.high or line.y)
            axes.set_ylim(0, 1.08 * max(highest, self.peak or 0))
            axes.yaxis.set_major_locator(MaxNLocator(6))
            show = short_seconds if self.unit == "s" else short_rate(self.unit, highest)
            axes.yaxis.set_major_formatter(FuncFormatter(show))
        axes.set_ylabel(QUANTITIES[self.unit])


def _two_axes(lines):
    occupied = any(value is not None for line in lines for value in line.occupancy)
    labels = [line.label for line in lines if not line.muted] + others(lines)
    right = 32 + LETTER * max(map(len, labels))
    height = max(LINES_HEIGHT, LINE_HEIGHT * len(labels))
    below = OCCUPANCY_HEIGHT + GAP if occupied else 0
    width, total = LEFT + PLOT_WIDTH + right, KEY_HEIGHT + height + below + BOTTOM
    figure = Figure(figsize=(width / 72, total / 72))
    upper = figure.add_axes((LEFT / width, (BOTTOM + below) / total, PLOT_WIDTH / width, height / total))
    lower = (
        figure.add_axes((LEFT / width, BOTTOM / total, PLOT_WIDTH / width, OCCUPANCY_HEIGHT / total))
        if occupied
        else None
    )
    for axes in filter(None, (upper, lower)):
        axes.grid(axis="y")
        frame(axes, "left", "bottom")
    return upper, lower


def _mark_points(axes, line, number):
    """Hollow where it is slower than the best, filled where nobody can say so, a ring around the best."""
    look = strokes(line) | {"linestyle": ""}
    points = list(zip(line.x, line.y, strict=True))
    tied = [point for point in points if point[0] in line.tie or not line.tie]
    slower = [point for point in points if point not in tied]
    if slower:
        axes.plot(*zip(*slower, strict=True), **look | {"markerfacecolor": style.PAGE, "gid": f"line{number}-slower"})
    if tied:
        axes.plot(*zip(*tied, strict=True), **look | {"markerfacecolor": line.look.color, "gid": f"line{number}-tied"})
    if line.best in line.x:
        best = line.y[line.x.index(line.best)]
        axes.plot(
            [line.best],
            [best],
            "o",
            markersize=10,
            markerfacecolor="none",
            markeredgecolor=line.look.color,
            gid=f"line{number}-ring",
        )


def _key_of_marks(axes, lines):
    """What filled, hollow and ringed points mean, above the axes."""
    point: dict[str, Any] = {"color": style.INK, "linestyle": "", "marker": "o"}
    handles = [Line2D([], [], **point, markersize=9, markerfacecolor="none", label="best")]
    if any(line.tie for line in lines):
        handles += [
            Line2D([], [], **point, markersize=4.6, label="no slower"),
            Line2D([], [], **point, markersize=4.6, markerfacecolor=style.PAGE, label="slower"),
        ]
    axes.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0, 1.01), ncols=3, frameon=False, handlelength=1,
        columnspacing=1.3, borderaxespad=0.1, handletextpad=0.3,
    )  # fmt: skip


def _draw_peak(axes, peak, unit):
    axes.axhline(peak, color=style.INK, linewidth=1.1, linestyle=(0, (4, 2)), zorder=1.5)
    text = short_seconds(peak) if unit == "s" else short_rate(unit)(peak)
    axes.annotate(
        f"peak {text}", (0, peak), xycoords=("axes fraction", "data"), xytext=(4, 2), textcoords="offset points",
        va="bottom", fontsize=SMALL,
    )  # fmt: skip


def _draw_occupancy(axes, lines):
    for number, line in enumerate(lines):
        known = [(x, value) for x, value in zip(line.x, line.occupancy, strict=True) if value is not None]
        if known:
            look = {"color": line.look.color, "linestyle": line.look.dashes, "marker": line.look.marker}
            axes.plot(*zip(*known, strict=True), **look, linewidth=1.1, markersize=3, gid=f"line{number}-occupancy")
    axes.set_ylim(0, 1.08)
    axes.yaxis.set_major_locator(FixedLocator([0, 0.5, 1]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:.0%}"))
    axes.set_ylabel("occupancy")


def _legible(ticks):
    """Those x whose texts do not touch: powers of two first, from the largest down."""
    span = (max(ticks) - min(ticks) + 0.5) / PLOT_WIDTH
    ordered = sorted(ticks, key=lambda x: (x != int(x), -x))
    return sorted(legible(ordered, lambda x: x / span, lambda x: LETTER * len(ticks[x])))
