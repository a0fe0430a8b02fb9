"""Figures of devices: how near to the roof everything comes, and what is left of a speedup after the transfers."""

import math
from dataclasses import dataclass

import numpy as np
import seaborn as sns
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import (
    LETTER,
    LINE_HEIGHT,
    PLOT_WIDTH,
    SMALL,
    TOP,
    decades,
    hatch,
    plot_area,
    short_rate,
    short_ratio,
)

ROOF_WIDTH, ROOF_HEIGHT, ROOF_LEFT = 270, 280, 72
APART, MOST_STEPS = 5.8, 24  # points between markers, and how many times that they may be moved aside
FARTHEST = 10  # times the ridge: what computes even more per byte stands at the edge
KINDS = (  # what it is called, marker, its size, whether filled; a filled dot fits into a diamond
    ("resident data", "o", 3.4, True),
    ("call", "D", 6.6, False),
    ("end to end, pinned", "^", 5.2, True),
    ("end to end, pageable", "v", 5.2, False),
)


@dataclass
class Point:
    """An implementation under the roof: flop per byte, flop per second."""

    kernel: str
    label: str
    color: str
    intensity: float
    rate: float
    hollow: bool
    implausible: bool = False


def roofline(points, bandwidths, peak, best):
    """Rates of all kernels' implementations on a device under its measured roofs.

    bandwidths  {"read": bytes/s, ...}
    peak        flop/s, or None where no matrix product was measured
    best        {kernel: what to write beside its marker}, in the order of the key
    """
    fastest = max(bandwidths.values())
    ridge = peak / fastest if peak else max(point.intensity for point in points)
    kernels = list(best)
    keys = [line for kernel in kernels for line in (kernel, best[kernel])]
    right = 40 + LETTER * max(map(len, keys))
    figure, axes = plot_area(ROOF_LEFT, ROOF_WIDTH, max(ROOF_HEIGHT, 2.4 * LINE_HEIGHT * len(kernels)), right)
    xs = [min(point.intensity, FARTHEST * ridge) for point in points]
    low_x, high_x = min([*xs, ridge]) / 3, max([*xs, ridge]) * 3
    rates = [point.rate for point in points]
    low_y, high_y = min(rates) / 2, (peak or max(rates)) * 2.4
    axes.set(xscale="log", yscale="log", xlim=(low_x, high_x), ylim=(low_y, high_y))
    _draw_roofs(axes, bandwidths, peak, (low_x, high_x))
    markers = kernel_markers(kernels)
    for x in set(xs):
        axes.axvline(x, color=style.INK, linewidth=0.7, alpha=0.3, linestyle=(0, (1, 2)), zorder=1.4)
    for number, (point, x, y) in enumerate(_apart(axes, points, xs)):
        face = style.PAGE if point.hollow else point.color
        axes.plot(
            [x], [y], markers[point.kernel], color=point.color, markerfacecolor=face, markeredgewidth=1,
            markersize=4.8, gid=f"point{number}",
        )  # fmt: skip
        if point.implausible:
            hatch(axes, [x], [y])
    decades(axes.xaxis, lambda x, _: f"{x:g}")
    axes.xaxis.set_major_locator(LogLocator(numticks=7))
    axes.yaxis.set_major_locator(LogLocator(numticks=9))
    axes.yaxis.set_major_formatter(FuncFormatter(short_rate("flop/s")))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_locator(NullLocator())
    axes.set_xlabel("arithmetic intensity (flop per byte moved)")
    axes.grid(axis="both")
    axes.set_axisbelow(True)
    sns.despine(ax=axes)
    _key_of_kernels(axes, markers, best)
    return figure


def kernel_markers(kernels):
    """{kernel: marker}."""
    markers = list(style.MARKERS)
    return {kernel: markers[number % len(markers)] for number, kernel in enumerate(kernels)}


def _draw_roofs(axes, bandwidths, peak, ends):
    x = np.geomspace(ends[0], ends[1], 200)
    ranked = sorted(bandwidths.items(), key=lambda item: -item[1])
    for number, (_, bandwidth) in enumerate(ranked):
        roof = np.minimum(x * bandwidth, peak or math.inf)
        axes.plot(x, roof, color=style.INK, linewidth=0.6 if number else 1.3, alpha=0.6 if number else 1, zorder=1.5)
    names = ", ".join(f"{name} {short_rate('B/s')(b)}" for name, b in ranked)
    axes.annotate(names, (0, 1), xycoords="axes fraction", xytext=(0, 4), textcoords="offset points", fontsize=SMALL)
    if peak:
        axes.annotate(
            f"matmul {short_rate('flop/s')(peak)}", (ends[1], peak), xytext=(-2, 4), textcoords="offset points",
            ha="right", fontsize=SMALL,
        )  # fmt: skip


def _apart(axes, points, xs):
    """(point, x, y): of markers that would cover each other the slower is moved to the right, where the roof is higher:
    to the left it would seem to break through."""
    back = axes.transData.inverted()
    scale = 72 / axes.figure.dpi
    placed = []
    for point, x in sorted(zip(points, xs, strict=True), key=lambda item: -item[0].rate):
        across, up = axes.transData.transform((x, point.rate)) * scale
        free = (
            s for s in range(MOST_STEPS) if all(math.hypot(across + s * APART - a, up - u) >= APART for a, u in placed)
        )
        across += APART * next(free, 0)
        placed.append((across, up))
        yield point, *back.transform((across / scale, up / scale))


def _key_of_kernels(axes, markers, best):
    """Each kernel's marker and its best, from the top right down."""
    height = axes.get_position().height * axes.figure.get_figheight() * 72
    beside = {"transform": axes.transAxes, "clip_on": False}
    for number, (kernel, marker) in enumerate(markers.items()):
        y = 1 - (2.4 * number * LINE_HEIGHT + 4) / height
        axes.plot([1 + 14 / ROOF_WIDTH], [y], marker, color=style.INK, markersize=5.2, **beside)
        axes.text(1 + 24 / ROOF_WIDTH, y, kernel, va="center_baseline", fontsize=SMALL, **beside)
        y -= LINE_HEIGHT / height
        axes.text(1 + 24 / ROOF_WIDTH, y, best[kernel], va="center_baseline", fontsize=8.5, alpha=0.75, **beside)


def transfers(names, colors, speedups, implausible, host):
    """Speedup over NumPy of what runs on a device: on resident data, as a call, from host array to host array.

    speedups     for each of `names` a value, or None, for each of KINDS
    implausible  of each of `names`, whether the machine cannot be so fast: those are hatched
    host         (name, speedup) of the fastest without a device, or None
    """
    left = 30 + LETTER * max(map(len, names))
    figure, axes = plot_area(left, PLOT_WIDTH, 17 * len(names), right=26, top=TOP + 3 * LINE_HEIGHT)
    axes.set_xscale("log")
    for row, (color, values) in enumerate(zip(colors, speedups, strict=True)):
        known = [value for value in values if value]
        axes.plot([min(known), max(known)], [row, row], color=color, linewidth=1.2, alpha=0.5, gid=f"line{row}-band")
        for (_, marker, points, filled), value in reversed(list(zip(KINDS, values, strict=True))):
            if value:
                look = {"color": color, "markerfacecolor": color if filled else style.PAGE, "markersize": points}
                axes.plot([value], [row], marker, **look, gid=f"line{row}-{marker}")
        if implausible[row]:
            hatch(axes, values[:1], [row])
    axes.axvline(1, color=style.INK, linewidth=1.1, zorder=1.5)
    dashed = {"color": style.INK, "linewidth": 1, "linestyle": (0, (4, 2))}
    if host:
        axes.axvline(host[1], **dashed, zorder=1.5)
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.9), high * 1.1)
    decades(axes.xaxis, short_ratio)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("speedup over NumPy")
    axes.grid(axis="both")
    axes.set_axisbelow(True)
    sns.despine(ax=axes, left=True)
    handles = [
        Line2D([], [], color=style.INK, linestyle="", marker=marker, markersize=points, label=name,
               markerfacecolor=style.INK if filled else style.PAGE)
        for name, marker, points, filled in KINDS
    ]  # fmt: skip
    if host:
        handles.append(Line2D([], [], **dashed, label=f"{host[0]}, {short_ratio(host[1])}"))
    axes.legend(
        handles=handles, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False, handlelength=1.4,
        columnspacing=1.1, borderaxespad=0.1, handletextpad=0.4,
    )  # fmt: skip
    return figure
