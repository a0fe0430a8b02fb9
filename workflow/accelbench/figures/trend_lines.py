"""Speed in several runs, relative to the first."""

import math
from dataclasses import dataclass

from matplotlib.ticker import FixedLocator, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import short_ratio
from accelbench.figures.lines import LineChart
from accelbench.figures.ratios import ticks

LEAST_SPAN = 1.25  # smallest range of the axis, from 1 / this to this, so that noise does not fill it


@dataclass(frozen=True)
class TrendLines(LineChart):
    """Lines of how many times as fast as in the first run something is, against the number of the run."""

    x_name, unit, height = "run", "x", 154

    def name_of(self, x):
        return str(x)

    def alt_text(self):
        return ", ".join(f"{line.label} {self.show(line.y[-1])} in run {line.x[-1]}" for line in self.lines)

    def finish(self, axes, lines):
        axes.axhline(1, color=style.INK, linewidth=1.1, zorder=1.5)
        furthest = 1.1 * max(abs(math.log(y)) for line in lines for y in (LEAST_SPAN, *line.y, *line.low, *line.high))
        axes.set(yscale="log", ylim=(math.exp(-furthest), math.exp(furthest)))
        axes.yaxis.set_major_locator(FixedLocator(ticks(furthest)))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(short_ratio)
        axes.set(xlabel="run", ylabel="times as fast as in run 1")
