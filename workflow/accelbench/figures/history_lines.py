"""How fast something was in each of several runs."""

import math
from dataclasses import dataclass, field

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import SMALL, short_ratio
from accelbench.figures.lines import LineChart, draw, label_ends, line_axes
from accelbench.figures.ratios import ticks

LEAST_SPAN = 1.25  # an axis shows at least from 1 / this to this: noise shall not fill it
MOST_DAYS = 5  # dates that stand beside each other without touching
SIGNS = {"FASTER": ("^", style.FASTER), "SLOWER": ("v", style.SLOWER)}


@dataclass(frozen=True)
class ChangeMark:
    """A change point: of a line, in a run, FASTER or SLOWER, and what it was, in words."""

    run: int
    height: float
    verdict: str
    told: str


@dataclass(frozen=True)
class HistoryLines(LineChart):
    """Lines over runs, by their numbers from 0; each run has a day, or another name. Marked is where cases changed."""

    days: list[str]
    marks: list[ChangeMark] = field(default_factory=list)
    x_name = "run"

    def show(self, value):
        return style.ratio(value)

    def name_of(self, x):
        return f"{x + 1}: {self.days[x]}"

    def points(self):
        return [mark.told for mark in self.marks]

    def alt_text(self):
        counts = {word: sum(mark.verdict == word for mark in self.marks) for word in SIGNS}
        told = ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "none"
        return f"{len(self.days)} runs, from {self.days[0]} to {self.days[-1]}; change points: {told}."

    def draw(self):
        figure, axes = line_axes(self.lines, least_height=220)
        draw(axes, self.lines)
        for number, mark in enumerate(self.marks):
            sign, color = SIGNS[mark.verdict]
            axes.plot(
                [mark.run], [mark.height], sign, color=color, markersize=10, markeredgecolor=style.PAGE,
                markeredgewidth=0.8, zorder=5, gid=f"point{number}",
            )  # fmt: skip
        axes.axhline(1, color=style.INK, linewidth=1.1, zorder=1.5)
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        axes.set_ylim(min(low, 1 / LEAST_SPAN), max(high, LEAST_SPAN))
        axes.yaxis.set_major_locator(FixedLocator(ticks(max(map(abs, map(math.log, axes.get_ylim()))))))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(FuncFormatter(short_ratio))
        axes.set_ylabel("times as fast as at first", fontsize=SMALL)
        last = len(self.days) - 1
        step = max(1, -(-last // (MOST_DAYS - 1)))
        axes.set_xlim(-0.1 * last, 1.1 * last)
        axes.xaxis.set_major_locator(FixedLocator(range(0, last + 1, step)))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: self.days[round(x)].replace(" ", "\n")))
        axes.tick_params(axis="x", labelsize=SMALL - 1, rotation=14)
        label_ends(axes, self.lines)
        return figure
