"""What it takes to start, once per process."""

from dataclasses import dataclass

import pandas as pd
from matplotlib.colors import to_rgba
from matplotlib.ticker import MaxNLocator

from accelbench.figures import style
from accelbench.figures.canvas import BESIDE, PLOT_WIDTH, name_rows, plot_area, short_seconds
from accelbench.figures.chart import Chart, Table

PARTS = {"import": 0.3, "context": 0.5, "build": 0.72, "first call": 1.0}  # with the opacity of each
ROW, MOST_ROWS = 17, 14


@dataclass(frozen=True)
class StartupBar:
    """Seconds of each of PARTS of an implementation; `compile_s` those of what was compiled ahead, or None."""

    label: str
    color: str
    parts: tuple[float, ...]
    compile_s: float | None = None

    @property
    def total_s(self):
        return sum(self.parts)


@dataclass(frozen=True)
class StartupBars(Chart):
    """Start-up costs as stacked bars, the least on top; where there are many, the least of each colour is drawn."""

    bars: list[StartupBar]

    def table(self):
        rows = [[b.label, *map(style.seconds, (*b.parts, b.total_s, b.compile_s))] for b in self.bars]
        return Table(["implementation", *PARTS, "total", "compiled ahead"], rows)

    def alt_text(self):
        least, most = self.bars[0], self.bars[-1]
        return (
            f"Seconds until the first result, the least being {least.label} with {style.seconds(least.total_s)}, the "
            f"most {most.label} with {style.seconds(most.total_s)}."
        )

    def draw(self):
        bars = self.bars if len(self.bars) <= MOST_ROWS else list({b.color: b for b in reversed(self.bars)}.values())
        bars = sorted(bars, key=lambda bar: bar.total_s)
        figure, axes = plot_area(PLOT_WIDTH, ROW * len(bars) + 18)
        frame = pd.DataFrame([bar.parts for bar in bars], [bar.label for bar in bars], [*PARTS])
        shades = [to_rgba(style.FASTER, alpha) for alpha in PARTS.values()]
        frame.plot.barh(stacked=True, ax=axes, width=0.72, color=shades, linewidth=0)
        for row, bar in enumerate(bars):
            place = (bar.total_s, row)
            axes.annotate(style.seconds(bar.total_s), place, xytext=(4, 0), va="center", **BESIDE)
        name_rows(axes, frame.index)
        axes.xaxis.set_major_locator(MaxNLocator(5))
        axes.xaxis.set_major_formatter(short_seconds)
        axes.set_xlabel("start-up, once per process")
        axes.legend(
            loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, handlelength=0.9, columnspacing=1.1,
            borderaxespad=0.1, handletextpad=0.4,
        )  # fmt: skip
        return figure
