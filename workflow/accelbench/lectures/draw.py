"""Draws what the report has no figure for: recorded numbers beside ours, maps, masks, sources and profiles.

One function a figure, from plain numbers to a matplotlib Figure; nothing is read or saved here.
"""

from dataclasses import dataclass, replace

import numpy as np
import seaborn as sns
from matplotlib.collections import PatchCollection
from matplotlib.colors import ListedColormap, to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from accelbench.figures import style
from accelbench.figures.canvas import (
    BOTTOM,
    LETTER,
    PLOT_WIDTH,
    SMALL,
    canvas,
    decades,
    draw,
    label_ends,
    plot_area,
    short_ratio,
    short_seconds,
)
from accelbench.figures.speedup_figures import against_size

ROW = 21
CODE_TEXT, CODE_LETTER, CODE_LINE = 7.5, 4.7, 10.5
NO_BREAK = "\N{NO-BREAK SPACE}"  # SVG folds other spaces, indentation too
LONGEST_LINE = 96  # letters of a source's line that are drawn; longer ones end in an ellipsis
ANNOTATED_ROW = 26
FULL_SCORE = 60  # of Cython's lines: about what a line of plain Python scores
MASK_SIDE = 300
REACH = 2  # how far beyond the values an interval is drawn


@dataclass
class Bar:
    """A row: ours with its interval, and what was recorded; None where there is no number, `text` then says why."""

    label: str
    color: str
    marker: str
    now: float | None
    low: float | None
    high: float | None
    then: float | None
    text: str


def beside(bars, unit, axis_label):
    """Numbers of today (filled) and of the lecture (hollow) on a logarithmic axis, a row each; unit "s" or "x"."""
    left = 20 + LETTER * max(len(bar.label) for bar in bars)
    right = 24 + LETTER * max([*(len(bar.text) for bar in bars), 4])
    figure, axes = plot_area(left, PLOT_WIDTH, ROW * len(bars), right, top=34)
    for row, bar in enumerate(bars):
        if bar.now and bar.then:
            axes.plot([bar.then, bar.now], [row, row], color=style.INK, alpha=0.25, linewidth=0.9, zorder=1.5)
        if bar.then:
            axes.plot([bar.then], [row], "D", markersize=5.4, markerfacecolor=style.PAGE, markeredgecolor=style.INK)
        if bar.now:
            if bar.low and bar.high:
                axes.plot([bar.low, bar.high], [row, row], color=bar.color, linewidth=3, alpha=0.35)
            axes.plot([bar.now], [row], marker=bar.marker, markersize=6, color=bar.color, gid=f"line{row}-curve")
        axes.text(1.03, row, bar.text, transform=axes.get_yaxis_transform(), va="center_baseline", fontsize=SMALL)
    values = [value for bar in bars for value in (bar.now, bar.then) if value]
    axes.set_xscale("log")
    if values:
        axes.set_xlim(min(values) / 1.9, max(values) * 1.9)
        decades(axes.xaxis, short_seconds if unit == "s" else short_ratio)
    else:
        axes.set_xticks([])
    if unit == "x":
        axes.axvline(1, color=style.INK, linewidth=1, zorder=1.2, alpha=0.6)
    axes.set_yticks(range(len(bars)), [bar.label for bar in bars])
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(axis_label)
    axes.grid(axis="both")
    axes.set_axisbelow(True)
    sns.despine(ax=axes, left=True)
    _then_and_now(axes, any(bar.then for bar in bars))
    return figure


def _then_and_now(axes, recorded):
    handles = [Line2D([], [], color=style.INK, marker="o", linestyle="", label="measured here")]
    if recorded:
        handles.append(
            Line2D([], [], color=style.INK, marker="D", linestyle="", markerfacecolor=style.PAGE, label="recorded then")
        )
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, borderaxespad=0.1)


def sizes(lines, x_label, what, over=None):
    """Time, or how many times faster than `over`, against the size."""
    figure = against_size(_within_reach(lines), x_label, (), what)
    if over is not None:
        figure.axes[0].set_ylabel(f"times faster than {over}")
    return figure


def _within_reach(lines):
    """The lines with intervals cut off far beyond all values: one that spans decades would leave the lines no room."""
    lowest, highest = min(min(line.y) for line in lines) / REACH, max(max(line.y) for line in lines) * REACH
    cut = [([max(low, lowest) for low in line.low], [min(high, highest) for high in line.high]) for line in lines]
    return [replace(line, low=low, high=high) for line, (low, high) in zip(lines, cut, strict=True)]


def blocks(lines, ticks):
    """Time against the block size; `ticks` are the block sizes by their base-2 logarithms."""
    figure, axes = canvas(lines, least_height=280)
    draw(axes, _within_reach(lines))
    axes.set_yscale("log")
    decades(axes.yaxis, short_seconds)
    axes.set_ylabel("time per call", labelpad=1)
    shown = [place for place, text in ticks.items() if place == int(place)]
    axes.set_xticks(shown, [ticks[place] for place in shown])
    axes.set_xticks([place for place in ticks if place not in shown], minor=True)
    axes.set_xlabel("block size: work-items per group, threads per block")
    label_ends(axes, lines)
    return figure


def plane(times, across, up):
    """Seconds over two parameters as a map, the best cell framed; `times` is {(x, y): seconds}."""
    xs, ys = sorted({x for x, _ in times}), sorted({y for _, y in times})
    best = min(times, key=times.get)
    figure, axes = plot_area(70, 50 * len(xs), 26 * len(ys), right=24, top=14)
    cells, colors = [], []
    for (x, y), seconds in times.items():
        cells.append(Rectangle((xs.index(x), ys.index(y)), 1, 1))
        colors.append(to_rgba(style.FASTER, 0.62 * times[best] / seconds))
        axes.text(
            xs.index(x) + 0.5, ys.index(y) + 0.5, short_seconds(seconds), ha="center", va="center", fontsize=SMALL
        )
    axes.add_collection(PatchCollection(cells, facecolors=colors, edgecolors=style.PAGE, linewidths=1.5))
    axes.add_patch(
        Rectangle(
            (xs.index(best[0]), ys.index(best[1])), 1, 1, fill=False, edgecolor=style.INK, linewidth=1.6, zorder=3
        )
    )
    axes.set_xlim(0, len(xs))
    axes.set_ylim(0, len(ys))
    axes.set_xticks(np.arange(len(xs)) + 0.5, xs)
    axes.set_yticks(np.arange(len(ys)) + 0.5, ys)
    axes.tick_params(length=0)
    axes.set_xlabel(across.replace("_", " "))
    axes.set_ylabel(up.replace("_", " "))
    sns.despine(ax=axes, left=True, bottom=True)
    return figure


def mask(pixels, polygon):
    """A mask, y downwards as in the lecture, and the polygon's edges with their arrows."""
    rows, columns = pixels.shape
    figure, axes = plot_area(50, MASK_SIDE, MASK_SIDE * rows / columns, right=20, top=12)
    clear = to_rgba(style.PAGE, 0)
    axes.imshow(pixels, cmap=ListedColormap([clear, to_rgba(style.FASTER, 0.45)]), interpolation="nearest")
    for start, end in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        axes.annotate("", xy=end, xytext=start, arrowprops={"arrowstyle": "->", "color": style.INK, "linewidth": 0.7})
    axes.plot(*zip(*polygon, strict=True), "o", markersize=2.6, color=style.INK)
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_xlabel("x")
    axes.set_ylabel("y")
    return figure


def code(columns):
    """Sources side by side: [(heading, [(line, whether it differs), ...]), ...]."""
    rows = max(len(lines) for _, lines in columns)
    widths = [
        CODE_LETTER * min(LONGEST_LINE, max([len(text) for text, _ in lines] + [24])) + 16 for _, lines in columns
    ]
    figure, axes = plot_area(10, sum(widths), CODE_LINE * rows, right=10, top=26, bottom=10)
    axes.set_xlim(0, sum(widths))
    axes.set_ylim(rows, 0)
    axes.axis("off")
    x = 0.0
    for (heading, lines), width in zip(columns, widths, strict=True):
        axes.text(x, -0.9, heading, fontsize=SMALL, fontweight="bold")
        for number, (text, differs) in enumerate(lines):
            if differs and text.strip():
                axes.add_patch(Rectangle((x - 3, number), width - 8, 1, color=to_rgba(style.SLOWER, 0.16), linewidth=0))
            cut = text if len(text) <= LONGEST_LINE else f"{text[: LONGEST_LINE - 1]}…"
            shown = cut.replace("$", r"\$").replace(" ", NO_BREAK)
            axes.text(x, number + 0.5, shown, fontsize=CODE_TEXT, family="DejaVu Sans Mono", va="center")
        x += width
    return figure


def annotated(files):
    """How much Python is left in each line of Cython sources: {name: [score of each line]}, a row of cells each."""
    longest = max(map(len, files.values()))
    left = 20 + LETTER * max(map(len, files))
    figure, axes = plot_area(left, PLOT_WIDTH + 60, ANNOTATED_ROW * len(files), right=90, top=10)
    cells, colors = [], []
    for row, scores in enumerate(files.values()):
        for line, score in enumerate(scores):
            cells.append(Rectangle((line, row + 0.15), 1, 0.7))
            colors.append(to_rgba("#d9a300", min(1.0, 0.12 + 0.88 * score / FULL_SCORE) if score else 0))
        axes.add_patch(Rectangle((0, row + 0.15), len(scores), 0.7, fill=False, edgecolor=style.INK, linewidth=0.5))
        touched = sum(score > 0 for score in scores)
        axes.text(
            1.02, row + 0.5, f"{touched} of {len(scores)}", transform=axes.get_yaxis_transform(), va="center",
            fontsize=SMALL,
        )  # fmt: skip
    axes.add_collection(PatchCollection(cells, facecolors=colors, linewidths=0))
    axes.set_xlim(0, longest)
    axes.set_ylim(len(files), 0)
    axes.set_yticks(np.arange(len(files)) + 0.5, list(files))
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("line of the source; yellow: calls into Python")
    sns.despine(ax=axes, left=True)
    return figure


def profile(rows):
    """Time in functions, own time filled: [(label, colour, own seconds, cumulative seconds), ...]."""
    left = 20 + LETTER * max(len(label) for label, *_ in rows)
    figure, axes = plot_area(left, PLOT_WIDTH, ROW * len(rows), right=40, bottom=BOTTOM)
    for row, (_, color, own, cumulative) in enumerate(rows):
        axes.barh(row, cumulative, color=to_rgba(color, 0.25), height=0.7, linewidth=0)
        axes.barh(row, own, color=color, height=0.7, linewidth=0)
        axes.annotate(
            short_seconds(cumulative), (cumulative, row), xytext=(4, 0), textcoords="offset points", va="center",
            fontsize=SMALL,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)), [label for label, *_ in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("seconds under cProfile; solid: in the function itself")
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    sns.despine(ax=axes, left=True)
    return figure


def words(text):
    """A figure that has nothing to show yet, and says why."""
    figure, axes = plot_area(10, 420, 60, right=10, top=10, bottom=10)
    axes.axis("off")
    axes.text(0.5, 0.5, text, ha="center", va="center", wrap=True, alpha=0.8)
    return figure
