"""Times at the one size that was measured."""

from dataclasses import dataclass

from accelbench.figures.canvas import (
    LETTER,
    PLOT_WIDTH,
    SMALL,
    decades,
    hatch,
    name_rows,
    plot_area,
    short_seconds,
)
from accelbench.figures.lines import LineChart, strokes, within_reach

ROW = 17


@dataclass(frozen=True)
class Ranking(LineChart):
    """Times, `label` says of what, fastest first, with 95 % intervals; each of the lines has one point."""

    label: str = "time per call"
    x_name = "size"

    def key(self):
        return []

    def alt_text(self):
        return self.leader()

    def draw(self):
        lines = sorted(within_reach(self.lines), key=lambda line: line.y[-1])
        left = 24 + LETTER * max(len(line.label) for line in lines)
        figure, axes = plot_area(left, PLOT_WIDTH, ROW * len(lines), right=24)
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
        name_rows(axes, [line.label for line in lines], grid="both")
        axes.set_xlabel(self.label)
        return figure
