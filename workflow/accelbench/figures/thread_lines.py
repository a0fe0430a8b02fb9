"""Scaling with the number of threads."""

from dataclasses import dataclass

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import short_ratio
from accelbench.figures.lines import LineChart, draw, label_ends, line_axes


@dataclass(frozen=True)
class ThreadLines(LineChart):
    """Lines of how many times faster than with its fewest threads each is."""

    x_name = "threads"
    lowest_leads = False

    def show(self, value):
        return style.ratio(value)

    def draw(self):
        figure, axes = line_axes(self.lines, least_height=210)
        counts = sorted({x for line in self.lines for x in line.x})
        ideal = [count / counts[0] for count in counts]
        axes.plot(counts, ideal, color=style.INK, alpha=0.45, linewidth=1, linestyle=(0, (1, 2)))
        draw(axes, self.lines)
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_locator(FixedLocator(counts))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        values = [y for line in self.lines for y in (*line.y, *line.high)] + ideal
        axes.set_ylim(min(0.9, *values) * 0.95, max(values) * 1.08)
        axes.yaxis.set_major_formatter(FuncFormatter(short_ratio))
        axes.annotate(
            "ideal", (counts[-1], ideal[-1]), xytext=(-4, 2), textcoords="offset points", ha="right", va="bottom",
            alpha=0.7,
        )  # fmt: skip
        axes.set_xlabel("threads")
        axes.set_ylabel(f"speedup over {counts[0]} thread{'s' * (counts[0] != 1)}")
        label_ends(axes, self.lines)
        return figure
