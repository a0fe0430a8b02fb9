"""Time or rate against the block size."""

from dataclasses import dataclass, replace
from typing import Any

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from accelbench.figures import style
from accelbench.figures.canvas import BESIDE, LETTER, LINE_HEIGHT, PLOT_WIDTH, decades, frame, legible, plot_area
from accelbench.figures.lines import UNITS, LineChart, draw, label_ends, strokes, within_reach

HEIGHT, OCCUPANCY_HEIGHT = 190, 62
WIDE_SPREAD = 20  # a logarithmic axis from this ratio of times on


@dataclass(frozen=True)
class BlockLines(LineChart):
    """Lines of times or rates at one problem size or several, occupancy beneath where it is known.

    ticks  {x: block size}: x is the base-2 logarithm of the number of threads, or the place among two-dimensional ones
    unit   "s" for times; "B/s" or "flop/s" for rates
    peak   the device's peak in that unit
    """

    ticks: dict[float, str]
    unit: str = "s"
    peak: float | None = None
    x_name = "block size"

    def name_of(self, x):
        return self.ticks[x]

    def draw(self):
        lines = within_reach(self.lines)
        named = [(number, line) for number, line in enumerate(lines) if not line.muted]
        occupied = any(value is not None for _, line in named for value in line.occupancy)
        height = max(HEIGHT, LINE_HEIGHT * (1 + len(named)))
        figure, *every = plot_area(PLOT_WIDTH, height, *[OCCUPANCY_HEIGHT] * occupied)
        upper, lower = every[0], every[-1]
        draw(upper, [replace(line, look=line.look._replace(marker="")) for line in lines])
        for number, line in named:
            _mark_points(upper, line, number)
        self._value_axis(upper, lines)
        label_ends(upper, lines)
        _key_of_marks(upper, lines)
        if occupied:
            _draw_occupancy(lower, named)
        for axes in every:
            axes.grid(axis="y")
            frame(axes, "left", "bottom")
            axes.set_xlim(min(self.ticks) - 0.25, max(self.ticks) + 0.25)
            axes.set_xticks(list(self.ticks), minor=True)
            shown = _legible(self.ticks)
            axes.set_xticks(shown, [self.ticks[x] if axes is lower else "" for x in shown])
        lower.set_xlabel("block size (threads per block)")
        return figure

    def _value_axis(self, axes, lines):
        values = [y for line in lines for y in line.y]
        show, ticks, quantity = UNITS[self.unit]
        if self.unit == "s" and max(values) > WIDE_SPREAD * min(values):
            axes.set_yscale("log")
            decades(axes.yaxis, ticks)
        else:
            highest = max(high for line in lines for high in line.high or line.y)
            axes.set_ylim(0, 1.08 * max(highest, self.peak or 0))
            axes.yaxis.set_major_locator(MaxNLocator(6))
            axes.yaxis.set_major_formatter(ticks)
        axes.set_ylabel(quantity)
        if self.peak:
            axes.axhline(self.peak, color=style.INK, linewidth=1.1, linestyle=(0, (4, 2)), zorder=1.5)
            place = {"xycoords": ("axes fraction", "data"), "xytext": (4, 2), "va": "bottom"}
            axes.annotate(f"peak {show(self.peak)}", (0, self.peak), **place, **BESIDE)


def _mark_points(axes, line, number):
    """Hollow where it is slower than the best, filled where nobody can say so, a ring around the best."""
    points = list(zip(line.x, line.y, strict=True))
    tied = [(x, y) for x, y in points if x in line.tie or not line.tie]
    slower = [point for point in points if point not in tied]
    best = [(x, y) for x, y in points if x == line.best]
    ring = {"marker": "o", "markersize": 10, "markerfacecolor": "none"}
    for what, own, look in (
        ("slower", slower, {"markerfacecolor": style.PAGE}),
        ("tied", tied, {}),
        ("ring", best, ring),
    ):
        if own:
            axes.plot(*zip(*own, strict=True), gid=f"line{number}-{what}", **strokes(line) | {"linestyle": ""} | look)


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


def _draw_occupancy(axes, named):
    for number, line in named:
        known = [(x, value) for x, value in zip(line.x, line.occupancy, strict=True) if value is not None]
        if known:
            look = strokes(line) | {"linewidth": 1.1, "markersize": 3}
            axes.plot(*zip(*known, strict=True), gid=f"line{number}-occupancy", **look)
    axes.set(ylim=(0, 1.08), yticks=[0, 0.5, 1], ylabel="occupancy")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:.0%}"))


def _legible(ticks):
    """Those x whose texts do not touch: powers of two first, from the largest down."""
    span = (max(ticks) - min(ticks) + 0.5) / PLOT_WIDTH
    ordered = sorted(ticks, key=lambda x: (x != int(x), -x))
    return sorted(legible(ordered, lambda x: x / span, lambda x: LETTER * len(ticks[x])))
