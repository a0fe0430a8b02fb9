"""Numbers of today beside those that were recorded."""

from dataclasses import dataclass

from matplotlib.lines import Line2D

from accelbench.figures import style
from accelbench.figures.canvas import (
    LETTER,
    PLOT_WIDTH,
    SMALL,
    decades,
    name_rows,
    plot_area,
    short_ratio,
    short_seconds,
)
from accelbench.figures.chart import Chart, Sign

ROW = 21
FORMATTERS = {"s": short_seconds, "x": short_ratio}


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
        left = 20 + LETTER * max(len(bar.label) for bar in self.bars)
        right = 24 + LETTER * max([*(len(bar.text) for bar in self.bars), 4])
        figure, axes = plot_area(left, PLOT_WIDTH, ROW * len(self.bars), right=right, top=34)
        for row, bar in enumerate(self.bars):
            _draw_row(axes, row, bar)
        values = [value for bar in self.bars for value in (bar.now, bar.then, bar.low, bar.high) if value]
        axes.set_xscale("log")
        if values:
            axes.set_xlim(min(values) / 1.9, max(values) * 1.9)
            decades(axes.xaxis, FORMATTERS[self.unit])
        else:
            axes.set_xticks([])
        if self.unit == "x":
            axes.axvline(1, color=style.INK, linewidth=1, zorder=1.2, alpha=0.6)
        name_rows(axes, [bar.label for bar in self.bars], grid="both")
        axes.set_xlabel(self.axis_label)
        _draw_legend(axes, any(bar.then for bar in self.bars))
        return figure


def _draw_row(axes, row, bar):
    if bar.now and bar.then:
        axes.plot([bar.then, bar.now], [row, row], color=style.INK, alpha=0.25, linewidth=0.9, zorder=1.5)
    if bar.then:
        axes.plot([bar.then], [row], "D", markersize=5.4, markerfacecolor=style.PAGE, markeredgecolor=style.INK)
    if bar.now:
        if bar.low and bar.high:
            axes.plot([bar.low, bar.high], [row, row], color=bar.color, linewidth=3, alpha=0.35)
        axes.plot([bar.now], [row], marker="o", markersize=6, color=bar.color, gid=f"line{row}-curve")
    axes.text(1.03, row, bar.text, transform=axes.get_yaxis_transform(), va="center_baseline", fontsize=SMALL)


def _draw_legend(axes, recorded):
    handles = [Line2D([], [], color=style.INK, marker="o", linestyle="", label="measured here")]
    if recorded:
        handles.append(
            Line2D([], [], color=style.INK, marker="D", linestyle="", markerfacecolor=style.PAGE, label="recorded then")
        )
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, borderaxespad=0.1)
