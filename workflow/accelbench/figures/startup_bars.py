"""What it takes to start, once per process."""

from dataclasses import dataclass

from matplotlib.colors import to_rgba
from matplotlib.patches import Patch
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
        for row, bar in enumerate(bars):
            left = 0.0
            for seconds, alpha in zip(bar.parts, PARTS.values(), strict=True):
                axes.barh(row, seconds, left=left, color=to_rgba(bar.color, alpha), height=0.72, linewidth=0)
                left += seconds
            axes.annotate(style.seconds(left), (left, row), xytext=(4, 0), va="center", **BESIDE)
        name_rows(axes, [bar.label for bar in bars])
        axes.xaxis.set_major_locator(MaxNLocator(5))
        axes.xaxis.set_major_formatter(short_seconds)
        axes.set(xlabel="start-up, once per process", xlim=(0, bars[-1].total_s * 1.02 or 1))
        handles = [Patch(color=to_rgba(style.INK, alpha), label=name) for name, alpha in PARTS.items()]
        axes.legend(
            handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, handlelength=0.9,
            columnspacing=1.1, borderaxespad=0.1, handletextpad=0.4,
        )  # fmt: skip
        return figure
