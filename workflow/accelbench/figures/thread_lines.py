"""Scaling with the number of threads."""

from dataclasses import dataclass

from accelbench.figures import style
from accelbench.figures.canvas import BESIDE, short_ratio
from accelbench.figures.lines import LineChart


@dataclass(frozen=True)
class ThreadLines(LineChart):
    """Lines of how many times faster than with its fewest threads each is."""

    x_name, unit, height = "threads", "x", 144

    def finish(self, axes, lines):
        counts = sorted({x for line in lines for x in line.x})
        ideal = [count / counts[0] for count in counts]
        axes.plot(counts, ideal, color=style.INK, alpha=0.45, linewidth=1, linestyle=(0, (1, 2)))
        axes.set_xscale("log", base=2)
        values = [y for line in lines for y in (*line.y, *line.high)] + ideal
        axes.set_ylim(min(0.9, *values) * 0.95, max(values) * 1.08)
        axes.yaxis.set_major_formatter(short_ratio)
        end = {"xytext": (-4, 2), "ha": "right", "va": "bottom", "alpha": 0.7}
        axes.annotate("ideal", (counts[-1], ideal[-1]), **end, **BESIDE)
        axes.set(xlabel="threads", ylabel=f"speedup over {counts[0]} thread{'s' * (counts[0] != 1)}")
