"""How much Python Cython leaves in each line of its sources: the scores of `cython -a`, whose pages lie beside ours."""

import html
import re
from functools import partial
from operator import itemgetter

import pandas as pd
import seaborn
from matplotlib.colors import LinearSegmentedColormap, to_rgba
from matplotlib.patches import Rectangle

from accelbench.figures import style
from accelbench.figures.canvas import PLOT_WIDTH, SMALL, plot_area
from accelbench.figures.chart import Drawing, Table
from accelbench.lectures.views import View, nothing
from accelbench.store import load

SCORED_LINE = re.compile(r'<pre class="cython line score-(\d+)"[^>]*>(.*?)</pre>', re.DOTALL)
ROW = 20
FULL_SCORE = 60  # about what a line of plain Python scores
YELLOWS = LinearSegmentedColormap.from_list("yellows", [to_rgba("#d9a300", alpha) for alpha in (0, 0.3, 0.65, 1)])


def view(entry, results):
    """Return the View of the scores of every implementation that has a page of Cython's."""
    pages = {name: path for (_, name, _), path in load.annotated_pages(results.kernels, results.home).items()}
    scores = {name: annotated_scores(path.read_text(encoding="utf-8")) for name, path in pages.items()}
    if not scores:
        return nothing("; ".join(results.missing) or "no page of Cython's was built")
    rows = [[name, len(own), sum(map(bool, own)), sum(own)] for name, own in scores.items()]
    most, least = (f"{r[1]} lines of {r[0]} {r[2]}" for r in (end(rows, key=itemgetter(3)) for end in (max, min)))
    text = f"Of {most} call into Python; of {least} do."
    table = Table(("source", "lines", "that call into Python", "sum of scores"), rows)
    return View(Drawing(partial(_draw, scores)), text, table, sentences=[text], links=pages, timed=False)


def annotated_scores(page):
    """Return the score of each line of a page that `cython -a` wrote: 0 where it became plain C."""
    return [int(score) for score, line in SCORED_LINE.findall(page) if html.unescape(line)]


def _draw(scores):
    """Draw a row of cells for each source, a cell for each of its lines, the yellower the higher its score."""
    figure, axes = plot_area(PLOT_WIDTH + 60, ROW * len(scores))
    frame = pd.DataFrame(list(scores.values()), index=[*scores])
    seaborn.heatmap(frame, ax=axes, cmap=YELLOWS, vmin=0, vmax=FULL_SCORE, cbar=False, xticklabels=20)
    for row, own in enumerate(scores.values()):
        axes.add_patch(Rectangle((0, row + 0.1), len(own), 0.8, fill=False, edgecolor=style.INK, linewidth=0.5))
        text = f"{sum(map(bool, own))} of {len(own)}"
        axes.text(1.02, row + 0.5, text, transform=axes.get_yaxis_transform(), va="center", fontsize=SMALL)
    axes.tick_params(axis="y", length=0, rotation=0)
    axes.set_xlabel("line of the source; yellow: calls into Python")
    return figure
