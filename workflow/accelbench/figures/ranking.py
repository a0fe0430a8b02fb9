"""Times at the one size that was measured."""

from dataclasses import dataclass

from accelbench.figures import style
from accelbench.figures.canvas import BESIDE, PLOT_WIDTH, decades, hatch, name_rows, plot_area, short_seconds
from accelbench.figures.lines import LineChart, strokes, within_reach

ROW = 17


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
        axes.set_xscale("log")
        decades(axes.xaxis, short_seconds)
        name_rows(axes, [line.label for line in lines], grid="both")
        axes.set_xlabel(self.label)
        return figure
