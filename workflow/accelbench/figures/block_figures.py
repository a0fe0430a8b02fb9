"""Figures of block sizes: lines against the number of threads, and maps of two-dimensional blocks."""

import math
from dataclasses import dataclass, field, replace
from typing import Any

import seaborn as sns
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

from accelbench.figures import style
from accelbench.figures.canvas import (
    BOTTOM,
    HATCH,
    LETTER,
    LINE_HEIGHT,
    PLOT_WIDTH,
    SMALL,
    Line,
    decades,
    draw,
    label_ends,
    others,
    short_rate,
    short_seconds,
    strokes,
)

LEFT, LINES_HEIGHT, OCCUPANCY_HEIGHT, GAP, KEY_HEIGHT = 78, 190, 62, 14, 34
WIDE_SPREAD = 20  # a logarithmic axis from this ratio of times on
MAP_WIDTH, WIDE_MAP, ROW_HEIGHT, TEXT_NEEDS = 168, 400, 18, 24
MOST_NARROW = 7  # columns of a map that two beside each other have room for
FULLEST = 0.62  # opacity of the best cell, over which text stays readable on a light and on a dark page


@dataclass
class BlockLine(Line):
    """A line over block sizes. `best` is the x of the best, `tie` holds those of all it cannot be told from."""

    best: float | None = None
    tie: list = field(default_factory=list)
    occupancy: list = field(default_factory=list)


@dataclass
class BlockMap:
    """An implementation's two-dimensional blocks. `times` {(bx, by): seconds}, `missing` those without a time.

    `best` is the best of them, chosen on one half of the rounds, and `tie` all that cannot be told from it.
    `implausible` are those that the machine cannot do in that time.
    """

    label: str
    color: str
    times: dict
    missing: list
    best: tuple
    tie: list
    implausible: list = field(default_factory=list)


def against_block_size(lines, ticks, unit="s", peak=None):
    """Time or rate against the block size at one problem size, occupancy beneath where it is known.

    ticks  {x: text}: x is the base-2 logarithm of the number of threads, or the place among two-dimensional blocks
    unit   "s" for times; "B/s" or "flop/s" for rates
    peak  the device's peak in that unit
    """
    occupied = any(value is not None for line in lines for value in line.occupancy)
    upper, lower = _two_axes(lines, occupied)
    draw(upper, [replace(line, look=line.look._replace(marker="")) for line in lines])
    for number, line in enumerate(lines):
        if not line.muted:
            _mark_points(upper, line, number)
    values = [y for line in lines for y in line.y]
    if unit == "s" and max(values) > WIDE_SPREAD * min(values):
        upper.set_yscale("log")
        decades(upper.yaxis, short_seconds)
    else:
        highest = max(high for line in lines for high in line.high or line.y)
        upper.set_ylim(0, 1.08 * max(highest, peak or 0))
        upper.yaxis.set_major_locator(MaxNLocator(6))
        upper.yaxis.set_major_formatter(FuncFormatter(short_seconds if unit == "s" else short_rate(unit, highest)))
    upper.set_ylabel({"s": "time per call", "B/s": "bandwidth", "flop/s": "computing rate"}[unit])
    if peak:
        _draw_peak(upper, peak, unit)
    label_ends(upper, lines)
    _key_of_marks(upper, lines)
    axes = upper if lower is None else lower
    if lower is not None:
        _draw_occupancy(lower, lines)
        upper.tick_params(axis="x", labelbottom=False)
    for each in {upper, axes}:
        each.xaxis.set_major_locator(FixedLocator(_legible(ticks)))
        each.xaxis.set_minor_locator(FixedLocator(list(ticks)))
        each.xaxis.set_minor_formatter(NullFormatter())
        each.set_xlim(min(ticks) - 0.25, max(ticks) + 0.25)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: ticks.get(x, "")))
    axes.set_xlabel("block size (threads per block)")
    return upper.figure


def _two_axes(lines, occupied):
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
        axes.set_axisbelow(True)
        sns.despine(ax=axes)
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
    kept = []
    for x in sorted(ticks, key=lambda x: (x != int(x), -x)):
        if all(abs(x - other) / span > LETTER / 2 * (len(ticks[x]) + len(ticks[other])) + 4 for other in kept):
            kept.append(x)
    return sorted(kept)


def block_maps(maps):
    """Time of each two-dimensional block relative to the implementation's best, one map an implementation.

    bx, the fast axis, across and by down; hatched where a block could not run or is implausible; the best framed,
    what cannot be told from it framed thinly.
    """
    columns = sorted({bx for m in maps for bx, _ in (*m.times, *m.missing)})
    rows = sorted({by for m in maps for _, by in (*m.times, *m.missing)})
    beside = 2 if len(columns) <= MOST_NARROW and len(maps) > 1 else 1
    width = MAP_WIDTH if beside == 2 else min(WIDE_MAP, 34 * len(columns))
    height = ROW_HEIGHT * len(rows)
    step_x, step_y = width + 46, height + 62
    total_x, total_y = 46 + beside * step_x - 34, math.ceil(len(maps) / beside) * step_y + 6
    figure = Figure(figsize=(total_x / 72, total_y / 72))
    for number, each in enumerate(maps):
        row, column = divmod(number, beside)
        left, top = 46 + column * step_x, row * step_y + 24
        box = (left / total_x, 1 - (top + height) / total_y, width / total_x, height / total_y)
        _draw_map(figure.add_axes(box), each, columns, rows, width / len(columns) >= TEXT_NEEDS)
    return figure


def _draw_map(axes, each, columns, rows, with_text):
    fastest = each.times[each.best]

    def cells(blocks, inset=0.0, **look):
        side = 1 - 2 * inset
        corners = [(columns.index(bx) + inset, rows.index(by) + inset) for bx, by in blocks]
        axes.add_collection(PatchCollection([Rectangle(corner, side, side) for corner in corners], **look))

    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows), 0)
    # The square tells apart what is nearly as good; a tenth of the speed is nothing.
    shades = [FULLEST * min(1.0, fastest / seconds) ** 2 for seconds in each.times.values()]
    cells(each.times, facecolors=[to_rgba(style.FASTER, shade) for shade in shades], edgecolors="none")
    cells(each.missing, facecolors="none", edgecolors=style.OTHER_LIGHT, hatch="///", linewidths=0)
    cells(each.implausible, facecolors="none", edgecolors=style.OTHER_LIGHT, hatch=HATCH, linewidths=0)
    cells(
        [block for block in each.tie if block != each.best],
        0.05,
        facecolors="none",
        edgecolors=style.INK,
        linewidths=0.8,
    )
    cells([each.best], 0.05, facecolors="none", edgecolors=style.INK, linewidths=2.0)
    if with_text:
        for (bx, by), seconds in each.times.items():
            place = columns.index(bx) + 0.5, rows.index(by) + 0.5
            axes.text(*place, _short_multiple(seconds / fastest), ha="center", va="center", fontsize=8.5)
    axes.set_xticks([i + 0.5 for i in range(len(columns))], columns)
    axes.set_yticks([i + 0.5 for i in range(len(rows))], rows)
    axes.tick_params(length=0, pad=2)
    axes.set_xlabel("bx", labelpad=1, loc="left")
    axes.set_ylabel("by", labelpad=1, rotation=0, va="center", ha="right")
    sns.despine(ax=axes, left=True, bottom=True)
    best = f"best {each.best[0]}×{each.best[1]}: {short_seconds(fastest)}"
    beside = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": SMALL}
    axes.annotate("●", (0, 1), xytext=(0, 5), color=each.color, **beside)
    axes.annotate(each.label, (0, 1), xytext=(12, 5), **beside)
    axes.annotate(best, (1, 0), xytext=(0, -16), ha="right", va="top", **beside)


def _short_multiple(value):
    if value >= 999.5:
        return f"{value / 1000:.0f}k"
    return f"{value:.0f}" if value >= 9.95 else f"{value:.2f}" if value < 1.095 else f"{value:.1f}"
