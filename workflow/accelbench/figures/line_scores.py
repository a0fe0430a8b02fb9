"""How much Python is left in each line of Cython sources."""

from dataclasses import dataclass

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from accelbench.figures import style
from accelbench.figures.canvas import LETTER, PLOT_WIDTH, SMALL, frame, plot_area
from accelbench.figures.chart import Chart, Table

ROW = 26
FULL_SCORE = 60  # about what a line of plain Python scores
YELLOW = "#d9a300"


@dataclass(frozen=True)
class LineScores(Chart):
    """`scores` {source: [score of each line]}, 0 where a line became plain C; a row of cells a source."""

    scores: dict[str, list[int]]

    def table(self):
        columns = ("source", "lines", "that call into Python", "sum of scores")
        rows = [[name, len(own), sum(s > 0 for s in own), sum(own)] for name, own in self.scores.items()]
        return Table(columns, rows)

    def alt_text(self):
        _, rows = self.table()
        most, least = max(rows, key=lambda row: row[3]), min(rows, key=lambda row: row[3])
        return (
            f"Of {most[1]} lines of {most[0]} {most[2]} call into Python; of {least[1]} lines of {least[0]} {least[2]} "
            "do."
        )

    def draw(self):
        left = 20 + LETTER * max(map(len, self.scores))
        figure, axes = plot_area(left, PLOT_WIDTH + 60, ROW * len(self.scores), right=90, top=10)
        cells, colors = [], []
        for row, scores in enumerate(self.scores.values()):
            for line, score in enumerate(scores):
                cells.append(Rectangle((line, row + 0.15), 1, 0.7))
                colors.append(to_rgba(YELLOW, min(1.0, 0.12 + 0.88 * score / FULL_SCORE) if score else 0))
            axes.add_patch(Rectangle((0, row + 0.15), len(scores), 0.7, fill=False, edgecolor=style.INK, linewidth=0.5))
            text = f"{sum(score > 0 for score in scores)} of {len(scores)}"
            axes.text(1.02, row + 0.5, text, transform=axes.get_yaxis_transform(), va="center", fontsize=SMALL)
        axes.add_collection(PatchCollection(cells, facecolors=colors, linewidths=0))
        axes.set_xlim(0, max(map(len, self.scores.values())))
        axes.set_ylim(len(self.scores), 0)
        axes.set_yticks(np.arange(len(self.scores)) + 0.5, list(self.scores))
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("line of the source; yellow: calls into Python")
        frame(axes, "bottom")
        return figure
