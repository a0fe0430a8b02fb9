"""How fast something was in each of several runs."""

import math
from dataclasses import dataclass, field

from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from accelbench.figures import style
from accelbench.figures.canvas import SMALL, short_ratio
from accelbench.figures.chart import Sign
from accelbench.figures.lines import LineChart, draw, label_ends, line_axes
from accelbench.figures.ratios import ticks

LEAST_SPAN = 1.25  # an axis shows at least from 1 / this to this: noise shall not fill it
MOST_DAYS = 5  # dates that stand beside each other without touching
SIGNS = {"FASTER": ("↑", style.FASTER), "SLOWER": ("↓", style.SLOWER)}  # in text


def _ring(up):
    """A marker that no line has: a ring round its point, with an arrow upwards (1) or downwards (-1)."""
    arrow = Path([(0, 0.45 * up), (0, up), (-0.25, 0.75 * up), (0, up), (0.25, 0.75 * up)], [1, 2, 1, 2, 2])
    return Path.make_compound_path(Path.circle(radius=0.45), arrow)


RINGS = {"FASTER": _ring(1), "SLOWER": _ring(-1)}


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

    def key(self):
        variables = style.theme_variables()
        return super().key() + [
            Sign(SIGNS[word][0], f"var({variables[SIGNS[word][1]]})", f"ringed: {word}") for word in self.verdicts
        ]

    @property
    def verdicts(self):
        """Those of its change points."""
        return [word for word in SIGNS if any(mark.verdict == word for mark in self.marks)]

    def alt_text(self):
        counts = {word: sum(mark.verdict == word for mark in self.marks) for word in SIGNS}
        told = ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "none"
        return f"{len(self.days)} runs, from {self.days[0]} to {self.days[-1]}; change points: {told}."

    def draw(self):
        figure, axes = line_axes(self.lines, least_height=220)
        draw(axes, self.lines)
        for number, mark in enumerate(self.marks):
            axes.plot([mark.run], [mark.height], **_look(mark.verdict), zorder=5, gid=f"point{number}")
        if self.marks:
            handles = [Line2D([], [], **_look(word), label=word) for word in self.verdicts]
            axes.legend(
                handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(SIGNS), borderaxespad=0,
                frameon=False, handletextpad=0.2,
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


def _look(verdict):
    """How a change point is drawn, in the figure and in its legend."""
    color = SIGNS[verdict][1]
    return {
        "marker": RINGS[verdict],
        "linestyle": "none",
        "markersize": 22,
        "markerfacecolor": "none",
        "markeredgecolor": color,
        "markeredgewidth": 1.5,
    }
