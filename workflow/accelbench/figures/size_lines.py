"""Time, or how many times faster than another implementation, against the problem size."""

from dataclasses import dataclass

from accelbench.figures import style
from accelbench.figures.canvas import BESIDE, decades
from accelbench.figures.lines import UNITS, LineChart


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
        _, ticks, quantity = UNITS[self.unit]
        axes.set(xscale="log", yscale="log", xlabel=self.x_label)
        decades(axes.yaxis, ticks)
        axes.set_ylabel(f"{quantity} over {self.over}" if self.over else quantity)
        if self.over:
            axes.axhline(1, color=style.INK, linewidth=1.1, zorder=1.5)
        if len({x for line in lines for x in line.x}) == 1:
            axes.set_xlim(lines[0].x[0] / 2, lines[0].x[0] * 2)
        for name, size in self.caches:
            axes.axvline(size, color=style.INK, alpha=0.3, linewidth=0.8, linestyle=(0, (2, 3)))
            place = {"xycoords": ("data", "axes fraction"), "xytext": (0, 2), "ha": "center", "va": "bottom"}
            axes.annotate(name, (size, 1), **place, alpha=0.65, **BESIDE)
