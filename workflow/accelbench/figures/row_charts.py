"""Rows of points with their intervals: rankings, numbers of then and now, what transfers leave of speedups, ratios,
and machines beside each other."""

import math
from dataclasses import dataclass

from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, NullLocator

from accelbench.analysis.verdicts import Comparison
from accelbench.figures import style
from accelbench.figures.canvas import (
    BESIDE,
    HATCHED,
    PLOT_WIDTH,
    SMALL,
    decades,
    hatch,
    name_rows,
    plot_area,
    short_ratio,
)
from accelbench.figures.chart import Chart, Sign, Table
from accelbench.figures.lines import UNITS, LineChart, strokes, within_reach

ROW = 18  # points a row takes
REACH = 10  # how far beyond the values an interval is drawn
MEASURED = {"linestyle": "", "marker": "o", "markersize": 6}
RECORDED = {"color": style.INK, "linestyle": "", "marker": "D", "markersize": 5.4, "markerfacecolor": style.PAGE}
MOST_ROWS = 14  # that are drawn; all stand in the table
KINDS = (  # what it is called, marker, its size, whether filled; a filled dot fits into a diamond
    ("resident data", "o", 3.4, True),
    ("call", "D", 6.6, False),
    ("end to end, pinned", "^", 5.2, True),
    ("end to end, pageable", "v", 5.2, False),
)
HOST = {"color": style.INK, "linewidth": 1, "linestyle": (0, (4, 2))}
COLORS = {"FASTER": style.FASTER, "SLOWER": style.SLOWER, "SAME": style.INK, "AMBIGUOUS": style.OTHER_LIGHT}
DENSE, LEAST, MOST = 2.6, 120, 900  # points a row takes where none has, and the height of such a figure
MARGIN = 1.35  # how much further than the furthest ratio the axis goes, in logarithms
PLACES = {  # how much of a machine's mark is filled, the sign that says so, what it means
    "resident": ("full", "●", "data resident"),
    "pinned": ("left", "◐", "from page-locked host memory and back"),
    "pageable": ("none", "○", "from pageable host memory and back"),
}
TICKS = (0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.4, 2, 5, 10)


def _finish(axes, names, *, unit, label):
    """Make the axis logarithmic, of a unit of UNITS and with a line at 1 where these are ratios, and name the rows."""
    axes.set(xscale="log", xlabel=label)
    decades(axes.xaxis, UNITS[unit][1])
    name_rows(axes, names, grid="both")
    if unit == "x":
        axes.axvline(1, color=style.INK, linewidth=1.1, zorder=1.5)


@dataclass(frozen=True)
class Ranking(LineChart):
    """Times, `label` says of what, fastest first, with 95 % intervals; each of the lines has one point."""

    label: str = "time per call"
    x_name = "size"

    def key(self):
        return []

    def draw(self):
        lines = sorted(within_reach(self.lines), key=lambda line: line.y[-1])
        figure, axes = plot_area(PLOT_WIDTH, ROW * len(lines))
        for row, line in enumerate(lines):
            low, high = (line.low or line.y)[-1], (line.high or line.y)[-1]
            axes.plot([low, high], [row, row], color=line.look.color, linewidth=2.6, alpha=0.35, gid=f"line{row}-band")
            axes.plot(line.y[-1:], [row], gid=f"line{row}-curve", **strokes(line))
            if any(line.implausible[-1:]):
                hatch(axes, line.y[-1:], [row])
            text = style.certain(style.seconds, line.y[-1], low, high)
            axes.annotate(text, (high, row), xytext=(8, 0), va="center_baseline", **BESIDE)
        _finish(axes, [line.label for line in lines], unit="s", label=self.label)
        return figure


@dataclass(frozen=True)
class Bar:
    """A row: ours with its interval, and what was recorded; None where there is no number, `text` then says why."""

    label: str
    color: str
    now: float | None
    low: float | None
    high: float | None
    then: float | None
    text: str


@dataclass(frozen=True)
class ThenAndNow(Chart):
    """Numbers of today (filled) and of then (hollow) on a logarithmic axis, a row each; unit "s" or "x"."""

    bars: list[Bar]
    unit: str
    axis_label: str

    def key(self):
        return [
            Sign(style.MARKERS["o"], f"var({style.theme_variables()[bar.color]})", f"{bar.label}: {bar.text}", row)
            for row, bar in enumerate(self.bars)
        ]

    def draw(self):
        figure, axes = plot_area(PLOT_WIDTH, ROW * len(self.bars))
        values = [value for bar in self.bars for value in (bar.now, bar.then) if value]
        reach = (min(values) / REACH, max(values) * REACH) if values else (1, 1)
        for row, bar in enumerate(self.bars):
            _draw_bar(axes, row, bar, reach=reach)
        _finish(axes, [bar.label for bar in self.bars], unit=self.unit, label=self.axis_label)
        handles = [Line2D([], [], color=style.INK, label="measured here", **MEASURED)]
        if any(bar.then for bar in self.bars):
            handles.append(Line2D([], [], label="recorded then", **RECORDED))
        axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, borderaxespad=0.1)
        return figure


def _draw_bar(axes, row, bar, *, reach):
    """Draw a Bar; its interval, as far as it is within `reach`."""
    if bar.now and bar.then:
        axes.plot([bar.then, bar.now], [row, row], color=style.INK, alpha=0.25, linewidth=0.9, zorder=1.5)
    if bar.then:
        axes.plot([bar.then], [row], **RECORDED)
    if bar.now:
        ends = [max(bar.low or bar.now, reach[0]), min(bar.high or bar.now, reach[1])]
        axes.plot(ends, [row, row], color=bar.color, linewidth=3, alpha=0.35)
        axes.plot([bar.now], [row], color=bar.color, gid=f"line{row}-curve", **MEASURED)
    axes.text(1.03, row, bar.text, transform=axes.get_yaxis_transform(), va="center_baseline", fontsize=SMALL)


@dataclass(frozen=True)
class TransferSpeedup:
    """An implementation: its speedup over NumPy, or None, for each of KINDS."""

    label: str
    color: str
    speedups: tuple[float | None, ...]
    implausible: bool = False

    @property
    def end_to_end(self) -> float:
        """From host array to host array by the better of the two kinds of memory; 0 where neither was measured."""
        return max(self.speedups[2] or 0, self.speedups[3] or 0)


@dataclass(frozen=True)
class TransferSpeedups(Chart):
    """Speedup over NumPy of what runs on a device: on resident data, as a call, from host array to host array.

    `host` is (name, speedup) of the fastest without a device, or None.
    """

    shown: list[TransferSpeedup]
    host: tuple[str, float] | None = None

    def table(self):
        return Table(
            ["implementation", *(kind for kind, *_ in KINDS)],
            [[each.label, *map(style.ratio, each.speedups)] for each in self.shown],
        )

    def alt_text(self):
        """Return the leaders; what is implausible leads nothing."""
        words = [HATCHED] if any(each.implausible for each in self.shown) else []
        believed = [each for each in self.shown if not each.implausible]
        for first in believed[:1]:
            words.append(f"On resident data the lead is with {first.label}: {style.ratio(first.speedups[0])}.")
        best = max(believed, key=lambda each: each.end_to_end, default=None)
        if best and best.end_to_end:
            words.append(f"From host array to host array with {best.label}: {style.ratio(best.end_to_end)}.")
        return " ".join(words)

    def draw(self):
        drawn = self.shown[:MOST_ROWS]
        figure, axes = plot_area(PLOT_WIDTH, ROW * len(drawn))
        for row, each in enumerate(drawn):
            _draw_speedups(axes, row, each)
        handles = [Line2D([], [], label=name, **_look(style.INK, mark)) for name, *mark in KINDS]
        if self.host:
            name, speedup = self.host
            handles.append(axes.axvline(speedup, **HOST, zorder=1.5, label=f"{name}, {style.ratio(speedup)}"))
        _finish(axes, [each.label for each in drawn], unit="x", label="speedup over NumPy")
        axes.legend(
            handles=handles, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False, handlelength=1.4,
            columnspacing=1.1, borderaxespad=0.1, handletextpad=0.4,
        )  # fmt: skip
        return figure


def _look(color, mark):
    marker, points, filled = mark
    face = color if filled else style.PAGE
    return {"color": color, "marker": marker, "markersize": points, "markerfacecolor": face, "linestyle": ""}


def _draw_speedups(axes, row, each):
    known = [value for value in each.speedups if value]
    axes.plot([min(known), max(known)], [row, row], color=each.color, linewidth=1.2, alpha=0.5, gid=f"line{row}-band")
    for (_, *mark), value in reversed(list(zip(KINDS, each.speedups, strict=True))):
        if value:
            axes.plot([value], [row], gid=f"line{row}-{mark[0]}", **_look(each.color, mark))
    if each.implausible:
        hatch(axes, each.speedups[:1], [row])


@dataclass(frozen=True)
class Ratios(Chart):
    """Comparisons, the first on top: each with its name beside it, or, without `names`, as a curve that is steep at
    both ends and, between equal runs, upright in the middle. `within` is how far from 1 a ratio may be and be SAME."""

    comparisons: list[Comparison]
    within: float
    label: str
    names: list[str] | None = None

    def points(self):
        ends = [f" ({style.ratio(c.low)} – {style.ratio(c.high)})" if c.low else "" for c in self.comparisons]
        told = [style.ratio(c.ratio) + interval for c, interval in zip(self.comparisons, ends, strict=True)]
        return [f"{name}: {text}" for name, text in zip(self.names or [""] * len(told), told, strict=True)]

    def draw(self):
        large, rows = self.names is not None, len(self.comparisons)
        size = (PLOT_WIDTH, ROW * rows) if large else (420, min(max(DENSE * rows, LEAST), MOST))
        figure, axes = plot_area(*size)
        furthest = (
            max([2 * self.within, *(abs(math.log(found.ratio)) for found in self.comparisons if found.ratio)]) * MARGIN
        )
        axes.axvspan(1 / (1 + self.within), 1 + self.within, color=style.INK, alpha=0.08, linewidth=0)
        axes.axvline(1, color=style.INK, linewidth=0.9)
        for row, found in enumerate(self.comparisons):
            _draw_ratio(axes, row, found, furthest=furthest, large=large)
        axes.set(xscale="log", xlim=(math.exp(-furthest), math.exp(furthest)), xlabel=self.label)
        axes.xaxis.set_major_locator(FixedLocator(ticks(furthest)))
        axes.xaxis.set_major_formatter(short_ratio)
        axes.xaxis.set_minor_locator(NullLocator())
        name_rows(axes, self.names or [""] * rows)
        return figure


def _draw_ratio(axes, row, found, *, furthest, large):
    color = COLORS.get(found.verdict, style.OTHER_LIGHT)
    if found.low is not None:
        ends = [max(found.low, math.exp(-furthest)), min(found.high, math.exp(furthest))]
        width = 1.6 if large else 0.7
        axes.plot(ends, [row, row], color=color, linewidth=width, alpha=0.45, solid_capstyle="butt")
    size = 4.6 if large else 2.4
    axes.plot([found.ratio], [row], "o", color=color, markersize=size, markeredgewidth=0, gid=f"point{row}")


@dataclass(frozen=True)
class Dumbbell:
    """A row: a machine at a size; {place: (seconds, implementation)}."""

    machine: str
    number: int
    size: int
    times: dict[str, tuple[float, str]]


@dataclass(frozen=True)
class Dumbbells(Chart):
    """Rows of machines, the largest size on top: a mark a place of the data, joined; its shape and colour are the
    machine's."""

    rows: list[Dumbbell]

    def table(self):
        shown = [
            [style.size(row.size), row.machine, *(f"{style.seconds(s)} {who}" for s, who in row.times.values())]
            for row in self.rows
        ]
        return Table(["size", "machine", *PLACES], shown)

    def points(self):
        return [
            f"{row.machine}, size {style.size(row.size)}, {words}: {style.seconds(seconds)} {who}"
            for row in self.rows
            for place, (*_, words) in PLACES.items()
            for seconds, who in [row.times[place]]
        ]

    def key(self):
        return [Sign(sign, "var(--ink)", words) for _, sign, words in PLACES.values()]

    def alt_text(self):
        return " ".join(
            f"{row.machine}: {', '.join(f'{place} {style.seconds(s)}' for place, (s, _) in row.times.items())}."
            for row in self.rows
            if row.size == self.rows[0].size
        )

    def draw(self):
        figure, axes = plot_area(PLOT_WIDTH, ROW * len(self.rows))
        for number, row in enumerate(self.rows):
            _draw_machine(axes, number, row)
            if number and row.size != self.rows[number - 1].size:
                axes.axhline(number - 0.5, color=style.INK, linewidth=0.5, alpha=0.3)
        _finish(axes, [f"{r.machine}  {style.size(r.size)}" for r in self.rows], unit="s", label="time per call")
        return figure


def _draw_machine(axes, number, row):
    seconds = [s for s, _ in row.times.values()]
    color, marker, _ = style.machine_look(row.number)
    axes.plot([min(seconds), max(seconds)], [number, number], color=color, linewidth=2, alpha=0.5)
    for place, (told, *_) in reversed(PLACES.items()):
        filled = told if len({*seconds}) > 1 else "full"  # on a machine's own cores the place makes no difference
        axes.plot(
            [row.times[place][0]], [number], marker, markersize=6.5, color=color, markerfacecoloralt=style.PAGE,
            fillstyle="full" if filled == "none" else filled, markerfacecolor=style.PAGE if filled == "none" else color,
            gid=f"point{len(PLACES) * number + list(PLACES).index(place)}",
        )  # fmt: skip


def ticks(furthest):
    """Those of TICKS that can be told apart on an axis from exp(-furthest) to exp(furthest)."""
    gap, kept = furthest / 6, [0.0]
    for tick in sorted((math.log(tick) for tick in TICKS if tick != 1), key=abs):
        if abs(tick) <= furthest and min(abs(tick - other) for other in kept) >= gap:
            kept.append(tick)
    return sorted(map(math.exp, kept))
