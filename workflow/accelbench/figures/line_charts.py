"""Lines against the problem size and the number of the run."""

import math
from dataclasses import dataclass

from matplotlib.ticker import FixedLocator, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import BESIDE, short_ratio
from accelbench.figures.lines import LineChart
from accelbench.figures.row_charts import ticks

LEAST_SPAN = 1.25  # smallest range of the axis, from 1 / this to this, so that noise does not fill it


@dataclass(frozen=True)
class SizeLines(LineChart):
    """Lines of times, or of how many times faster they are than `over`, where that is given.

    caches  (name, size) where the working set outgrows a cache
    """

    x_label: str
    over: str | None = None
    caches: tuple[tuple[str, float], ...] = ()
    x_name = "size"

    @property
    def unit(self):
        return "x" if self.over else "s"

    def finish(self, axes, lines):
        super().finish(axes, lines)
        axes.set(xscale="log", xlabel=self.x_label)
        if self.over:
            axes.set_ylabel(f"speedup over {self.over}")
            axes.axhline(1, color=style.INK, linewidth=1.1, zorder=1.5)
        if len({x for line in lines for x in line.x}) == 1:
            axes.set_xlim(lines[0].x[0] / 2, lines[0].x[0] * 2)
        for name, size in self.caches:
            axes.axvline(size, color=style.INK, alpha=0.3, linewidth=0.8, linestyle=(0, (2, 3)))
            place = {"xycoords": ("data", "axes fraction"), "xytext": (0, 2), "ha": "center", "va": "bottom"}
            axes.annotate(name, (size, 1), **place, alpha=0.65, **BESIDE)


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
