"""The report's figures: one function each, from plain numbers to a matplotlib Figure. Nothing is read or saved here.

Sizes are in points, which are the units of the SVG: text of 10 points stays readable when a figure of 450 points is
shown on a phone 390 pixels wide. Figures are drawn in the light theme's colours on a transparent page; `drawing` makes
those colours follow the reader's theme.
"""

import math
from dataclasses import dataclass, field

import matplotlib as mpl
import numpy as np
import seaborn as sns
from matplotlib.colors import ListedColormap, to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator
from scipy.optimize import isotonic_regression

from accelbench.report import style

TEXT, SMALL = 11.0, 10.0
PLOT_WIDTH, LEFT, TOP, BOTTOM = 270, 62, 22, 44
LINE_HEIGHT, LETTER = 13.0, 6.1
STRONGEST = 3.0  # decades of speedup at which the heatmap's colour is fullest: 1000x
STARTUP = ("import", "context", "build", "first call")
STARTUP_ALPHA = (0.3, 0.5, 0.72, 1.0)


@dataclass
class Line:
    """One line of a figure: its label, how it looks, and its points with the ends of their 95 % intervals."""

    label: str
    look: style.Look
    x: list
    y: list
    low: list = field(default_factory=list)
    high: list = field(default_factory=list)
    thin: bool = False


@dataclass
class Cell:
    """One cell of the heatmap: the speedup, or None with the word that says why, and whether it was earned."""

    speedup: float | None
    word: str = ""
    sure: bool = True


def use_style():
    """Set matplotlib up once per process."""
    mpl.use("svg")
    sns.set_theme(
        context="paper",
        style="ticks",
        rc={
            "svg.fonttype": "none",
            "svg.hashsalt": "accelbench",
            "pdf.fonttype": 42,
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


def against_size(lines, x_label, caches, what):
    """Time (`what` = "time") or speedup over the baseline ("speedup") against the problem size.

    `caches` are (name, size) where the working set outgrows a cache.
    """
    figure, axes = _canvas(lines, least_height=300)
    _draw(axes, lines)
    _size_axis(axes, sorted({x for line in lines for x in line.x}), x_label)
    axes.set_yscale("log")
    if what == "time":
        _decades(axes.yaxis, _short_seconds)
        axes.set_ylabel("time per call")
    else:
        _decades(axes.yaxis, _short_ratio)
        axes.set_ylabel("speedup over NumPy")
        axes.axhline(1, color=style.INK, linewidth=1.1, zorder=1.5)
    _mark_caches(axes, caches)
    _label_ends(axes, lines)
    return figure


def against_block_size(lines, blocks):
    """Time against block size at one problem size; x of the lines counts `blocks`."""
    figure, axes = _canvas(lines, least_height=210)
    _draw(axes, lines)
    axes.set_xticks(range(len(blocks)), blocks)
    axes.set_xlim(-0.25, len(blocks) - 0.75)
    axes.set_xlabel("block size (threads per block)")
    values = [y for line in lines for y in line.y]
    if max(values) > 20 * min(values):
        axes.set_yscale("log")
        _decades(axes.yaxis, _short_seconds)
    else:
        axes.set_ylim(0, 1.08 * max(high for line in lines for high in line.high or line.y))
        axes.yaxis.set_major_formatter(FuncFormatter(_short_seconds))
    axes.set_ylabel("time per call")
    _label_ends(axes, lines)
    return figure


def against_threads(lines):
    """How many times faster than with its fewest threads, against the number of threads."""
    figure, axes = _canvas(lines, least_height=210)
    counts = sorted({x for line in lines for x in line.x})
    ideal = [count / counts[0] for count in counts]
    axes.plot(counts, ideal, color=style.INK, alpha=0.45, linewidth=1, linestyle=(0, (1, 2)))
    _draw(axes, lines)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator(counts))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    values = [y for line in lines for y in line.y] + ideal
    axes.set_ylim(min(0.9, *values) * 0.95, max(values) * 1.08)
    axes.yaxis.set_major_formatter(FuncFormatter(_short_ratio))
    axes.annotate(
        "ideal", (counts[-1], ideal[-1]), xytext=(-4, 2), textcoords="offset points", ha="right", va="bottom", alpha=0.7
    )
    axes.set_xlabel("threads")
    axes.set_ylabel(f"speedup over {counts[0]} thread{'s' * (counts[0] != 1)}")
    _label_ends(axes, lines)
    return figure


def ranking(lines):
    """Time per call at the one size that was measured, fastest first, with 95 % intervals."""
    lines = sorted(lines, key=lambda line: line.y[-1])
    left = 24 + LETTER * max(len(line.label) for line in lines)
    figure, axes = _axes(left, PLOT_WIDTH, 17 * len(lines), right=24)
    for row, line in enumerate(lines):
        (low, high) = (line.low[-1], line.high[-1]) if line.low else (line.y[-1], line.y[-1])
        axes.plot([low, high], [row, row], color=line.look.color, linewidth=2.6, alpha=0.35, gid=f"line{row}-band")
        axes.plot(line.y[-1:], [row], gid=f"line{row}-curve", **_strokes(line))
        axes.annotate(
            _short_seconds(line.y[-1]), (high, row), xytext=(8, 0),
            textcoords="offset points", va="center_baseline", fontsize=SMALL,
        )  # fmt: skip
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.set_xlim(low, high * (high / low) ** 0.16)
    _decades(axes.xaxis, _short_seconds)
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
    figure, axes = _axes(left, PLOT_WIDTH, height - TOP - BOTTOM, right=60)
    rows, totals = np.arange(len(names)), np.zeros(len(names))
    for part, alpha in zip(np.array(parts, dtype=float).T, STARTUP_ALPHA, strict=True):
        axes.barh(rows, part, left=totals, color=[to_rgba(c, alpha) for c in colors], height=0.72, linewidth=0)
        totals += part
    for row, total in zip(rows, totals, strict=True):
        axes.annotate(
            _short_seconds(total), (total, row), xytext=(4, 0), textcoords="offset points", va="center", fontsize=SMALL
        )
    axes.set_yticks(rows, names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(0, totals.max() * 1.02 or 1)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(FuncFormatter(_short_seconds))
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


def heatmap(rows, row_colors, columns, cells):
    """Speedups over NumPy, implementations down and kernels across; `cells` is a list of rows of Cell or None.

    Colour is transparent at 1x, so that it works on a light and on a dark page.
    """
    height, width = 17.5 * len(rows), 62 * len(columns)
    left = 30 + LETTER * max(map(len, rows))
    top = 12 + 0.62 * LETTER * max(map(len, columns))
    figure, axes = _axes(left, width, height, right=0.5 * LETTER * max(map(len, columns)), top=top, bottom=6)
    values = np.array([[_decades_of(cell) for cell in row] for row in cells], dtype=float)
    sns.heatmap(
        values, ax=axes, cmap=_diverging(), vmin=-STRONGEST, vmax=STRONGEST, cbar=False, linewidths=1.5,
        linecolor=style.PAGE, xticklabels=columns, yticklabels=rows,
    )  # fmt: skip
    for y, row in enumerate(cells):
        for x, cell in enumerate(row):
            if cell is not None:
                _write_cell(axes, x + 0.5, y + 0.5, cell)
    axes.xaxis.tick_top()
    axes.tick_params(axis="both", length=0)
    axes.set_xticklabels(columns, rotation=32, ha="left", rotation_mode="anchor")
    axes.set_yticklabels(rows, rotation=0)
    beside = axes.get_yaxis_transform()
    for row, color in enumerate(row_colors):
        axes.plot([-9 / width], [row + 0.5], "o", color=color, markersize=5, transform=beside, clip_on=False)
    axes.tick_params(axis="y", pad=16)
    return figure


def _write_cell(axes, x, y, cell):
    if cell.speedup is None:
        axes.text(x, y, cell.word, ha="center", va="center", fontsize=8.5, style="italic", alpha=0.75)
        return
    text = _cell_ratio(cell.speedup) if cell.sure else f"({_cell_ratio(cell.speedup)})"
    axes.text(x, y, text, ha="center", va="center", fontsize=SMALL)


def _decades_of(cell):
    return math.nan if cell is None or not cell.speedup else math.log10(cell.speedup)


def _diverging():
    """Orange for slower, blue for faster, clear at 1x; the square root shows small differences too."""
    strength = np.sqrt(np.linspace(0, 1, 128)) * 0.62
    slow = [to_rgba(style.SLOWER, alpha) for alpha in strength[::-1]]
    return ListedColormap(slow + [to_rgba(style.FASTER, alpha) for alpha in strength])


def _canvas(lines, least_height):
    """Figure and axes with room at the right for every line's label."""
    right = 32 + LETTER * max(len(line.label) for line in lines)
    height = max(least_height - TOP - BOTTOM, LINE_HEIGHT * len(lines))
    figure, axes = _axes(LEFT, PLOT_WIDTH, height, right)
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    sns.despine(ax=axes)
    return figure, axes


def _axes(left, width, height, right, top=TOP, bottom=BOTTOM):
    """A Figure whose one Axes has a given size in points inside given margins."""
    total_width, total_height = left + width + right, top + height + bottom
    figure = Figure(figsize=(total_width / 72, total_height / 72))
    box = (left / total_width, bottom / total_height, width / total_width, height / total_height)
    return figure, figure.add_axes(box)


def _draw(axes, lines):
    """Draw the lines; the ids say to which line a part belongs, for the page to tell them apart."""
    for number, line in enumerate(lines):
        axes.plot(line.x, line.y, gid=f"line{number}-curve", linewidth=0.9 if line.thin else 1.6, **_strokes(line))
        if line.low:
            axes.fill_between(
                line.x, line.low, line.high, color=line.look.color, alpha=0.16, linewidth=0, gid=f"line{number}-band"
            )


def _strokes(line):
    color, marker, dashes = line.look
    face = style.PAGE if line.thin else color
    return {"color": color, "marker": marker, "linestyle": dashes, "markerfacecolor": face, "markeredgecolor": color}


def _label_ends(axes, lines):
    """Write each line's marker and label beside its end, moved apart as little as keeps them from overlapping."""
    height = axes.get_position().height * axes.figure.get_figheight() * 72
    to_axes = axes.transData + axes.transAxes.inverted()
    ends = [(*to_axes.transform((line.x[-1], line.y[-1])), number) for number, line in enumerate(lines)]
    ends.sort(key=lambda end: end[1])
    places = spread([y for _, y, _ in ends], LINE_HEIGHT / height)
    beside = {"transform": axes.transAxes, "clip_on": False}
    for (x, y, number), place in zip(ends, places, strict=True):
        line = lines[number]
        axes.plot(
            [x, 1.015, 1.06], [y, y if x > 0.9 else place, place], color=line.look.color, linewidth=0.6, alpha=0.5,
            gid=f"line{number}-leader", **beside,
        )  # fmt: skip
        axes.plot([1.075], [place], gid=f"line{number}-marker", **_strokes(line), **beside)
        axes.text(1.1, place, line.label, va="center_baseline", fontsize=SMALL, gid=f"line{number}-label", **beside)


def spread(places, gap):
    """Ascending places in [0, 1] moved as little as possible (least squares) until neighbours are `gap` apart."""
    offsets = gap * np.arange(len(places))
    moved = isotonic_regression(np.asarray(places) - offsets).x
    return np.clip(moved, 0, max(0.0, 1 - offsets[-1])) + offsets


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


def _decades(axis, formatter):
    """Ticks of a logarithmic axis: decades, with 2 and 5 between where there are few, fewer where there are many."""
    low, high = axis.get_view_interval()
    subs = (1.0,) if math.log10(high / low) > 2.2 else (1.0, 2.0, 5.0)
    axis.set_major_locator(LogLocator(subs=subs, numticks=6 if axis.axis_name == "x" else 20))
    axis.set_major_formatter(FuncFormatter(formatter))
    axis.set_minor_formatter(NullFormatter())


def _mark_caches(axes, caches):
    for name, size in caches:
        axes.axvline(size, color=style.INK, alpha=0.3, linewidth=0.8, linestyle=(0, (2, 3)))
        axes.annotate(
            name, (size, 1), xycoords=("data", "axes fraction"), xytext=(0, 2), textcoords="offset points",
            ha="center", va="bottom", fontsize=SMALL, alpha=0.65,
        )  # fmt: skip


def _short_seconds(value, _=None):
    """Seconds for a tick: "10 µs"."""
    if value <= 0:
        return "0"
    units = ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
    factor, unit = next((u for u in units if value >= u[0] * 0.9995), units[-1])
    scaled = value / factor
    return f"{scaled:.0f} {unit}" if scaled >= 99.95 else f"{scaled:.3g} {unit}"


def _short_ratio(value, _=None):
    """A ratio for a tick: "0.25×", "1.25×", "120×"."""
    return f"{value:.0f}×" if value >= 99.5 else f"{value:.3g}×"


def _cell_ratio(value):
    """A ratio for a narrow cell, two digits where it is small: "0.25×", "3.2×", "120×"."""
    return f"{value:.0f}×" if value >= 9.95 else f"{value:.2g}×"
