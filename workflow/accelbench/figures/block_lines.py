"""Time against the block size."""

from dataclasses import dataclass

from accelbench.figures import style
from accelbench.figures.canvas import Line, canvas, decades, draw, label_ends, short_seconds, within_reach
from accelbench.figures.drawing import numbers


@dataclass(frozen=True)
class BlockLines:
    """Lines of times over the base-2 logarithm of the block size; `ticks` are the block sizes by it."""

    lines: list[Line]
    ticks: dict[float, str]

    def numbers(self):
        """(columns, rows, key)."""
        return numbers(self.lines, "block size", style.seconds, self.ticks)

    def draw(self):
        figure, axes = canvas(self.lines, least_height=280)
        draw(axes, within_reach(self.lines))
        axes.set_yscale("log")
        decades(axes.yaxis, short_seconds)
        axes.set_ylabel("time per call", labelpad=1)
        named = [place for place in self.ticks if place == int(place)]
        axes.set_xticks(named, [self.ticks[place] for place in named])
        axes.set_xticks([place for place in self.ticks if place not in named], minor=True)
        axes.set_xlabel("block size: work-items per group, threads per block")
        label_ends(axes, self.lines)
        return figure
