"""Numbers of today beside those that were recorded."""

from dataclasses import dataclass

from matplotlib.lines import Line2D

from accelbench.figures import style
from accelbench.figures.canvas import PLOT_WIDTH, SMALL, decades, name_rows, plot_area
from accelbench.figures.chart import Chart, Sign
from accelbench.figures.lines import UNITS

ROW = 21
REACH = 10  # how far beyond the values an interval is drawn
MEASURED = {"linestyle": "", "marker": "o", "markersize": 6}
RECORDED = {"color": style.INK, "linestyle": "", "marker": "D", "markersize": 5.4, "markerfacecolor": style.PAGE}


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
            _draw_row(axes, row, bar, reach=reach)
        axes.set_xscale("log")
        decades(axes.xaxis, UNITS[self.unit][1])
        if self.unit == "x":
            axes.axvline(1, color=style.INK, linewidth=1, zorder=1.2, alpha=0.6)
        name_rows(axes, [bar.label for bar in self.bars], grid="both")
        axes.set_xlabel(self.axis_label)
        handles = [Line2D([], [], color=style.INK, label="measured here", **MEASURED)]
        if any(bar.then for bar in self.bars):
            handles.append(Line2D([], [], label="recorded then", **RECORDED))
        axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, borderaxespad=0.1)
        return figure


def _draw_row(axes, row, bar, *, reach):
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
