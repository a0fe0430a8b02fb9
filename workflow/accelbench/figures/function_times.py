"""Time spent in functions under a profiler."""

from dataclasses import dataclass

from matplotlib.colors import to_rgba

from accelbench.figures.canvas import LETTER, PLOT_WIDTH, SMALL, name_rows, plot_area, short_seconds
from accelbench.figures.chart import Chart

ROW = 21


@dataclass(frozen=True)
class FunctionTime:
    """A function: seconds in itself, and with what it calls."""

    label: str
    color: str
    own_s: float
    cumulative_s: float


@dataclass(frozen=True)
class FunctionTimes(Chart):
    """Time in functions, own time filled, a row each."""

    functions: list[FunctionTime]

    def draw(self):
        left = 20 + LETTER * max(len(function.label) for function in self.functions)
        figure, axes = plot_area(left, PLOT_WIDTH, ROW * len(self.functions), right=40)
        for row, function in enumerate(self.functions):
            color, cumulative_s = function.color, function.cumulative_s
            axes.barh(row, cumulative_s, color=to_rgba(color, 0.25), height=0.7, linewidth=0)
            axes.barh(row, function.own_s, color=color, height=0.7, linewidth=0)
            axes.annotate(
                short_seconds(cumulative_s), (cumulative_s, row), xytext=(4, 0), textcoords="offset points",
                va="center", fontsize=SMALL,
            )  # fmt: skip
        name_rows(axes, [function.label for function in self.functions])
        axes.set_xlabel("seconds under cProfile; solid: in the function itself")
        return figure
