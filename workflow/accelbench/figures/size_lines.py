"""Time, or how many times faster than another implementation, against the problem size."""

from dataclasses import dataclass

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import SMALL, decades, short_ratio, short_seconds
from accelbench.figures.lines import LineChart, draw, label_ends, line_axes, within_reach


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
    def lowest_leads(self):
        return self.over is None

    def show(self, value):
        return style.seconds(value) if self.over is None else style.ratio(value)

    def alt_text(self):
        return self.leader()

    def draw(self):
        lines = within_reach(self.lines)
        figure, axes = line_axes(lines, least_height=300)
        draw(axes, lines)
        _size_axis(axes, sorted({x for line in lines for x in line.x}), self.x_label)
        axes.set_yscale("log")
        if self.over is None:
            decades(axes.yaxis, short_seconds)
            axes.set_ylabel("time per call")
        else:
            decades(axes.yaxis, short_ratio)
            axes.set_ylabel(f"speedup over {self.over}")
            axes.axhline(1, color=style.INK, linewidth=1.1, zorder=1.5)
        _mark_caches(axes, self.caches)
        label_ends(axes, lines)
        return figure


def _size_axis(axes, sizes, label):
    axes.set_xlabel(label)
    axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_locator(FixedLocator(sizes))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: style.size(round(x))))
    if len(sizes) == 1:
        axes.set_xlim(sizes[0] / 2, sizes[0] * 2)


def _mark_caches(axes, caches):
    for name, size in caches:
        axes.axvline(size, color=style.INK, alpha=0.3, linewidth=0.8, linestyle=(0, (2, 3)))
        axes.annotate(
            name, (size, 1), xycoords=("data", "axes fraction"), xytext=(0, 2), textcoords="offset points",
            ha="center", va="bottom", fontsize=SMALL, alpha=0.65,
        )  # fmt: skip
