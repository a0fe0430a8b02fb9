"""The picture of a comparison: ratios with their intervals, in order."""

import io
import math

import seaborn as sns
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from accelbench.compare import summary
from accelbench.figures import canvas, drawing, style

COLORS = {"FASTER": style.FASTER, "SLOWER": style.SLOWER, "SAME": style.INK, "AMBIGUOUS": style.OTHER_LIGHT}
ROW = 17.0  # points a row takes where each has its name
DENSE, LEAST, MOST = 2.6, 120, 900  # points a row takes where none has, and the height of such a picture
ROOM = 1.35  # how much further than the furthest ratio the axis goes, in logarithms
TICKS = (0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.4, 2, 5, 10)


def every(pairs, within):
    """All pairs, slowest on top: a curve that is steep at both ends and, between equal runs, upright in the middle."""
    height = min(max(DENSE * len(pairs), LEAST), MOST)
    figure, axes = canvas.plot_area(24, 420, height, right=24)
    _draw(axes, pairs, within, size=2.4, width=0.7)
    axes.set_yticks([])
    return figure


def named(pairs, within):
    """Few pairs, each with its name beside it."""
    names = [f"{pair.first.record.kernel}: {summary.label(pair.first)}" for pair in pairs]
    left = 20 + canvas.LETTER * max(map(len, names))
    figure, axes = canvas.plot_area(left, canvas.PLOT_WIDTH, ROW * len(pairs), right=24)
    _draw(axes, pairs, within, size=4.6, width=1.6)
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0)
    return figure


def svg(figure, name, pairs):
    """A figure as SVG that follows the page's theme; each point says what it is."""
    stream = io.BytesIO()
    figure.savefig(stream, format="svg", metadata=drawing.DATELESS["svg"])
    return drawing.for_page(stream.getvalue().decode(), name, [tell(pair) for pair in pairs])


def tell(pair):
    """A pair in one line."""
    compared = pair.compared
    interval = style.interval(compared.low, compared.high, style.significant)
    return f"{pair.first.id}: {style.ratio(compared.ratio)} ({interval or pair.note}) {compared.verdict or ''}".strip()


def _draw(axes, pairs, within, size, width):
    furthest = max([within * 2, *(abs(math.log(pair.compared.ratio)) for pair in pairs)]) * ROOM
    axes.axvspan(1 / (1 + within), 1 + within, color=style.INK, alpha=0.08, linewidth=0)
    axes.axvline(1, color=style.INK, linewidth=0.9)
    for row, pair in enumerate(pairs):
        compared, color = pair.compared, COLORS.get(pair.compared.verdict, style.OTHER_LIGHT)
        if compared.low is not None:
            ends = [max(compared.low, math.exp(-furthest)), min(compared.high, math.exp(furthest))]
            axes.plot(ends, [row, row], color=color, linewidth=width, alpha=0.45, solid_capstyle="butt")
        axes.plot([compared.ratio], [row], "o", color=color, markersize=size, markeredgewidth=0, gid=f"point{row}")
    axes.set_xscale("log")
    axes.set_xlim(math.exp(-furthest), math.exp(furthest))
    axes.set_ylim(len(pairs) - 0.4, -0.6)
    axes.xaxis.set_major_locator(FixedLocator(_ticks(furthest)))
    axes.xaxis.set_major_formatter(FuncFormatter(canvas.short_ratio))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("how many times as fast B is")
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    sns.despine(ax=axes, left=True)


def _ticks(furthest):
    """Those of TICKS that can be told apart on an axis from exp(-furthest) to exp(furthest)."""
    gap, kept = furthest / 6, [0.0]
    for tick in sorted((math.log(tick) for tick in TICKS if tick != 1), key=abs):
        if abs(tick) <= furthest and min(abs(tick - other) for other in kept) >= gap:
            kept.append(tick)
    return sorted(map(math.exp, kept))
