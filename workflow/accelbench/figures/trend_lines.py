"""Speed in several runs, relative to the first."""

import math
from dataclasses import dataclass

from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import short_ratio
from accelbench.figures.lines import LineChart, draw, label_ends, line_axes
from accelbench.figures.ratios import ticks

LEAST_SPAN = 1.25  # smallest range of the axis, from 1 / this to this, so that noise does not fill it


@dataclass(frozen=True)
class TrendLines(LineChart):
    """Lines of how many times as fast as in the first run something is, against the number of the run."""

    x_name = "run"

    def show(self, value):
        return style.ratio(value)

    def name_of(self, x):
        return str(x)

    def alt_text(self):
        return ", ".join(f"{line.label} {self.show(line.y[-1])} in run {line.x[-1]}" for line in self.lines)

    def draw(self):
        figure, axes = line_axes(self.lines, least_height=220)
        draw(axes, self.lines)
        axes.axhline(1, color=style.INK, linewidth=1.1, zorder=1.5)
        ends = [LEAST_SPAN, *(y for line in self.lines for y in (*line.low, *line.high))]
        furthest = 1.1 * max(abs(math.log(y)) for y in ends)
        axes.set_yscale("log")
        axes.set_ylim(math.exp(-furthest), math.exp(furthest))
        axes.yaxis.set_major_locator(FixedLocator(ticks(furthest)))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(FuncFormatter(short_ratio))
        axes.set_ylabel("times as fast as in run 1")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("run")
        label_ends(axes, self.lines)
        return figure
