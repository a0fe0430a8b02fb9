"""Seconds over two parameters as a map."""

from dataclasses import dataclass

import numpy as np
import seaborn as sns
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from accelbench.figures import style
from accelbench.figures.canvas import SMALL, plot_area, short_seconds

COLUMN, ROW = 50, 26
FULLEST = 0.62  # opacity of the best cell, over which text stays readable on a light and on a dark page


@dataclass(frozen=True)
class ParameterMap:
    """`times` {(x, y): seconds}, with the names of the parameters across and up; the best cell is framed."""

    times: dict[tuple, float]
    across: str
    up: str

    @property
    def best(self):
        return min(self.times, key=lambda place: self.times[place])

    @property
    def worst(self):
        return max(self.times, key=lambda place: self.times[place])

    def _axes(self):
        """The values of either parameter, in order."""
        return sorted({x for x, _ in self.times}), sorted({y for _, y in self.times})

    def table(self):
        """(columns, rows)."""
        xs, ys = self._axes()
        columns = [f"{_words(self.up)}, by {_words(self.across)}", *xs]
        return columns, [[y, *(style.seconds(self.times.get((x, y))) for x in xs)] for y in ys]

    def draw(self):
        xs, ys = self._axes()
        fastest = self.times[self.best]
        figure, axes = plot_area(70, COLUMN * len(xs), ROW * len(ys), right=24, top=14)
        cells, colors = [], []
        for (x, y), seconds in self.times.items():
            left, bottom = xs.index(x), ys.index(y)
            cells.append(Rectangle((left, bottom), 1, 1))
            colors.append(to_rgba(style.FASTER, FULLEST * fastest / seconds))
            text = short_seconds(seconds)
            axes.text(left + 0.5, bottom + 0.5, text, ha="center", va="center", fontsize=SMALL)
        axes.add_collection(PatchCollection(cells, facecolors=colors, edgecolors=style.PAGE, linewidths=1.5))
        corner = xs.index(self.best[0]), ys.index(self.best[1])
        axes.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor=style.INK, linewidth=1.6, zorder=3))
        axes.set_xlim(0, len(xs))
        axes.set_ylim(0, len(ys))
        axes.set_xticks(np.arange(len(xs)) + 0.5, xs)
        axes.set_yticks(np.arange(len(ys)) + 0.5, ys)
        axes.tick_params(length=0)
        axes.set_xlabel(_words(self.across))
        axes.set_ylabel(_words(self.up))
        sns.despine(ax=axes, left=True, bottom=True)
        return figure


def _words(parameter):
    return parameter.replace("_", " ")
