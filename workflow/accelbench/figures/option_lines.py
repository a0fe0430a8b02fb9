"""The rate of computing against the values of a kernel's option."""

from dataclasses import dataclass

from matplotlib.ticker import FixedLocator, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import decades, short_rate
from accelbench.figures.lines import LineChart, draw, label_ends, line_axes, within_reach

LEFT = 80  # with ticks as wide as 100 Gflop/s


@dataclass(frozen=True)
class OptionLines(LineChart):
    """Lines of operations per second, over few values of one option, which are ticks each."""

    x_name: str

    def show(self, value):
        return style.rate(value, "flop/s")

    def name_of(self, x):
        return f"{x:g}"

    def draw(self):
        lines = within_reach(self.lines)
        figure, axes = line_axes(lines, least_height=300, left=LEFT)
        draw(axes, lines)
        axes.set_xlabel(self.x_name)
        axes.xaxis.set_major_locator(FixedLocator(sorted({x for line in lines for x in line.x})))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_yscale("log")
        decades(axes.yaxis, short_rate("flop/s"))
        axes.set_ylabel("computing rate")
        label_ends(axes, lines)
        return figure
