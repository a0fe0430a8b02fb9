"""How much Python Cython leaves in each line of its sources: the scores of `cython -a`, whose pages lie beside ours."""

import html
import re
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from accelbench.figures import style
from accelbench.figures.canvas import LETTER, PLOT_WIDTH, SMALL, frame, plot_area
from accelbench.figures.chart import Chart, Table
from accelbench.lectures.view import View, nothing
from accelbench.store import load

SCORED_LINE = re.compile(r'<pre class="cython line score-(\d+)"[^>]*>(.*?)</pre>', re.DOTALL)
ROW = 26
FULL_SCORE = 60  # about what a line of plain Python scores
YELLOW = "#d9a300"


def view(entry, results):
    """Return the View of the scores of every implementation that has a page of Cython's."""
    pages = {name: path for (_, name, _), path in load.annotated_pages(results.kernels, results.home).items()}
    scores = {name: annotated_scores(path.read_text(encoding="utf-8")) for name, path in pages.items()}
    if not scores:
        return nothing("; ".join(results.missing) or "no page of Cython's was built")
    figure = LineScores(scores)
    rows = figure.table().rows
    most, least = (
        f"{r[1]} lines of {r[0]} {r[2]}" for r in (max(rows, key=itemgetter(3)), min(rows, key=itemgetter(3)))
    )
    text = f"Of {most} call into Python; of {least} do."
    return View(figure, text, sentences=[text], links=pages, timed=False)


def annotated_scores(page):
    """Return the score of each line of a page that `cython -a` wrote: 0 where it became plain C."""
    return [int(score) for score, line in SCORED_LINE.findall(page) if html.unescape(line)]


@dataclass(frozen=True)
class LineScores(Chart):
    """`scores` {source: [score of each line]}, 0 where a line became plain C; a row of cells a source."""

    scores: dict[str, list[int]]

    def table(self):
        columns = ("source", "lines", "that call into Python", "sum of scores")
        return Table(columns, [[name, len(s), sum(map(bool, s)), sum(s)] for name, s in self.scores.items()])

    def draw(self):
        left = 20 + LETTER * max(map(len, self.scores))
        figure, axes = plot_area(left, PLOT_WIDTH + 60, ROW * len(self.scores), right=90, top=10)
        cells, colors = [], []
        for row, scores in enumerate(self.scores.values()):
            for line, score in enumerate(scores):
                cells.append(Rectangle((line, row + 0.15), 1, 0.7))
                colors.append(to_rgba(YELLOW, min(1.0, 0.12 + 0.88 * score / FULL_SCORE) if score else 0))
            axes.add_patch(Rectangle((0, row + 0.15), len(scores), 0.7, fill=False, edgecolor=style.INK, linewidth=0.5))
            text = f"{sum(map(bool, scores))} of {len(scores)}"
            axes.text(1.02, row + 0.5, text, transform=axes.get_yaxis_transform(), va="center", fontsize=SMALL)
        axes.add_collection(PatchCollection(cells, facecolors=colors, linewidths=0))
        axes.set_xlim(0, max(map(len, self.scores.values())))
        axes.set_ylim(len(self.scores), 0)
        axes.set_yticks(np.arange(len(self.scores)) + 0.5, list(self.scores))
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("line of the source; yellow: calls into Python")
        frame(axes, "bottom")
        return figure
