"""Figures of times and speedups: one function each, from plain numbers to a matplotlib Figure.

Nothing is read or saved here. block_figures and device_figures draw the rest.
"""

import math
from dataclasses import dataclass

import numpy as np
import seaborn as sns
from matplotlib.colors import ListedColormap, to_rgba
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import (
    BOTTOM,
    HATCH,
    LETTER,
    PLOT_WIDTH,
    SMALL,
    TOP,
    canvas,
    decades,
    draw,
    hatch,
    label_ends,
    plot_area,
    short_ratio,
    short_seconds,
    strokes,
)

STRONGEST = 3.0  # decades of speedup at which the heatmap's colour is fullest: 1000x
STARTUP = ("import", "context", "build", "first call")
STARTUP_ALPHA = (0.3, 0.5, 0.72, 1.0)


@dataclass
class Cell:
    """One cell of the heatmap: the speedup, or None with the word that says why, whether it was earned, and whether the
    machine cannot be so fast."""

    speedup: float | None
    word: str = ""
    sure: bool = True
    implausible: bool | None = False


def against_size(lines, x_label, caches, what):
    """Time (`what` = "time") or speedup over the baseline ("speedup") against the problem size.

    `caches` are (name, size) where the working set outgrows a cache.
    """
    figure, axes = canvas(lines, least_height=300)
    draw(axes, lines)
    _size_axis(axes, sorted({x for line in lines for x in line.x}), x_label)
    axes.set_yscale("log")
    if what == "time":
        decades(axes.yaxis, short_seconds)
        axes.set_ylabel("time per call")
    else:
        decades(axes.yaxis, short_ratio)
        axes.set_ylabel("speedup over NumPy")
        axes.axhline(1, color=style.INK, linewidth=1.1, zorder=1.5)
    _mark_caches(axes, caches)
    label_ends(axes, lines)
    return figure


def against_threads(lines):
    """How many times faster than with its fewest threads, against the number of threads."""
    figure, axes = canvas(lines, least_height=210)
    counts = sorted({x for line in lines for x in line.x})
    ideal = [count / counts[0] for count in counts]
    axes.plot(counts, ideal, color=style.INK, alpha=0.45, linewidth=1, linestyle=(0, (1, 2)))
    draw(axes, lines)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator(counts))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    values = [y for line in lines for y in (*line.y, *line.high)] + ideal
    axes.set_ylim(min(0.9, *values) * 0.95, max(values) * 1.08)
    axes.yaxis.set_major_formatter(FuncFormatter(short_ratio))
    axes.annotate(
        "ideal", (counts[-1], ideal[-1]), xytext=(-4, 2), textcoords="offset points", ha="right", va="bottom", alpha=0.7
    )
    axes.set_xlabel("threads")
    axes.set_ylabel(f"speedup over {counts[0]} thread{'s' * (counts[0] != 1)}")
    label_ends(axes, lines)
    return figure


def ranking(lines):
    """Time per call at the one size that was measured, fastest first, with 95 % intervals."""
    lines = sorted(lines, key=lambda line: line.y[-1])
    left = 24 + LETTER * max(len(line.label) for line in lines)
    figure, axes = plot_area(left, PLOT_WIDTH, 17 * len(lines), right=24)
    for row, line in enumerate(lines):
        (low, high) = (line.low[-1], line.high[-1]) if line.low else (line.y[-1], line.y[-1])
        axes.plot([low, high], [row, row], color=line.look.color, linewidth=2.6, alpha=0.35, gid=f"line{row}-band")
        axes.plot(line.y[-1:], [row], gid=f"line{row}-curve", **strokes(line))
        if line.implausible and line.implausible[-1]:
            hatch(axes, line.y[-1:], [row])
        axes.annotate(
            short_seconds(line.y[-1]), (high, row), xytext=(8, 0),
            textcoords="offset points", va="center_baseline", fontsize=SMALL,
        )  # fmt: skip
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.set_xlim(low, high * (high / low) ** 0.16)
    decades(axes.xaxis, short_seconds)
    axes.set_yticks(range(len(lines)), [line.label for line in lines])
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("time per call")
    axes.grid(axis="both")
    axes.set_axisbelow(True)
    sns.despine(ax=axes, left=True)
    return figure


def startup(names, colors, parts):
    """Start-up costs as stacked bars, seconds; `parts` holds a row of STARTUP's four per name."""
    height = TOP + BOTTOM + 17 * len(names) + 18
    left = 20 + LETTER * max(map(len, names))
    figure, axes = plot_area(left, PLOT_WIDTH, height - TOP - BOTTOM, right=60)
    rows, totals = np.arange(len(names)), np.zeros(len(names))
    for part, alpha in zip(np.array(parts, dtype=float).T, STARTUP_ALPHA, strict=True):
        axes.barh(rows, part, left=totals, color=[to_rgba(c, alpha) for c in colors], height=0.72, linewidth=0)
        totals += part
    for row, total in zip(rows, totals, strict=True):
        axes.annotate(
            short_seconds(total), (total, row), xytext=(4, 0), textcoords="offset points", va="center", fontsize=SMALL
        )
    axes.set_yticks(rows, names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(0, totals.max() * 1.02 or 1)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(FuncFormatter(short_seconds))
    axes.set_xlabel("start-up, once per process")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    sns.despine(ax=axes, left=True)
    handles = [
        Patch(color=to_rgba(style.INK, alpha), label=name) for name, alpha in zip(STARTUP, STARTUP_ALPHA, strict=True)
    ]
    axes.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, handlelength=0.9,
        columnspacing=1.1, borderaxespad=0.1, handletextpad=0.4,
    )  # fmt: skip
    return figure


def heatmap(rows, row_colors, columns, cells, grouped=False):
    """Speedups over NumPy, implementations down and kernels across; `cells` is a list of rows of Cell or None.

    Colour is transparent at 1x, so that it works on a light and on a dark page. `grouped` rules off the backends.
    """
    height, width = 17.5 * len(rows), 62 * len(columns)
    left = 30 + LETTER * max(map(len, rows))
    top = 12 + 0.62 * LETTER * max(map(len, columns))
    figure, axes = plot_area(left, width, height, right=0.5 * LETTER * max(map(len, columns)), top=top, bottom=6)
    values = np.array([[_decades_of(cell) for cell in row] for row in cells], dtype=float)
    # Not seaborn's heatmap: that draws the whole figure once more to see whether labels overlap.
    axes.pcolormesh(
        np.ma.masked_invalid(values), cmap=_diverging(), vmin=-STRONGEST, vmax=STRONGEST, edgecolors=style.PAGE,
        linewidth=1.5,
    )  # fmt: skip
    axes.set_xticks(np.arange(len(columns)) + 0.5)
    axes.set_yticks(np.arange(len(rows)) + 0.5)
    axes.set_ylim(len(rows), 0)
    sns.despine(ax=axes, left=True, bottom=True)
    for y, row in enumerate(cells):
        for x, cell in enumerate(row):
            if cell is not None:
                _write_cell(axes, x + 0.5, y + 0.5, cell)
    axes.xaxis.tick_top()
    axes.tick_params(axis="both", length=0)
    axes.set_xticklabels(columns, rotation=32, ha="left", rotation_mode="anchor")
    axes.set_yticklabels(rows, rotation=0)
    for row in range(1, len(rows)):
        if grouped and row_colors[row] != row_colors[row - 1]:
            axes.axhline(row, color=style.INK, linewidth=0.8, alpha=0.5)
    beside = axes.get_yaxis_transform()
    for row, color in enumerate(row_colors):
        axes.plot([-9 / width], [row + 0.5], "o", color=color, markersize=5, transform=beside, clip_on=False)
    axes.tick_params(axis="y", pad=16)
    return figure


def _write_cell(axes, x, y, cell):
    if cell.speedup is None:
        axes.text(x, y, cell.word, ha="center", va="center", fontsize=8.5, style="italic", alpha=0.75)
        return
    if cell.implausible:
        box = Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, hatch=HATCH, edgecolor=style.OTHER_LIGHT, linewidth=0)
        axes.add_patch(box)
    text = _cell_ratio(cell.speedup) if cell.sure else f"({_cell_ratio(cell.speedup)})"
    axes.text(x, y, text, ha="center", va="center", fontsize=SMALL)


def _decades_of(cell):
    return math.nan if cell is None or not cell.speedup else math.log10(cell.speedup)


def _diverging():
    """Orange for slower, blue for faster, clear at 1x; the square root shows small differences too."""
    strength = np.sqrt(np.linspace(0, 1, 128)) * 0.62
    slow = [to_rgba(style.SLOWER, alpha) for alpha in strength[::-1]]
    return ListedColormap(slow + [to_rgba(style.FASTER, alpha) for alpha in strength])


def _size_axis(axes, sizes, label):
    axes.set_xlabel(label)
    axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    shown = [size for size in sizes if size in _legible(sizes)]
    axes.xaxis.set_major_locator(FixedLocator(shown))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: style.size(round(x))))
    if len(sizes) == 1:
        axes.set_xlim(sizes[0] / 2, sizes[0] * 2)


def _legible(sizes):
    """Those of the sizes whose labels do not touch when spaced by their logarithms, the largest always."""
    span = math.log(sizes[-1] / sizes[0]) or 1
    kept = [sizes[-1]]
    for size in reversed(sizes[:-1]):
        if math.log(kept[-1] / size) / span * PLOT_WIDTH > 38:
            kept.append(size)
    return kept


def _mark_caches(axes, caches):
    for name, size in caches:
        axes.axvline(size, color=style.INK, alpha=0.3, linewidth=0.8, linestyle=(0, (2, 3)))
        axes.annotate(
            name, (size, 1), xycoords=("data", "axes fraction"), xytext=(0, 2), textcoords="offset points",
            ha="center", va="bottom", fontsize=SMALL, alpha=0.65,
        )  # fmt: skip


def _cell_ratio(value):
    """A ratio for a narrow cell, two digits where it is small: "0.25×", "3.2×", "120×"."""
    return f"{value:.0f}×" if value >= 9.95 else f"{value:.2g}×"
