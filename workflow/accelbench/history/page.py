"""The history of a machine as one self-contained page, with a figure a kernel."""

import math
from pathlib import Path

from markupsafe import Markup

from accelbench.analysis.verdicts import FASTER, SLOWER
from accelbench.compare.page import tell
from accelbench.compare.warnings import warnings
from accelbench.figures import style
from accelbench.figures.history_lines import ChangeMark, HistoryLines
from accelbench.figures.lines import Line
from accelbench.pages import page as pages
from accelbench.pages import pictures
from accelbench.statistics import geometric_mean
from accelbench.store import files

FIGURES = "figures"


def write(timeline, folder):
    """Write folder/index.html and the figures beside it, as SVG, PDF and PNG; the path of the page."""
    folder = Path(folder)
    plots = kernel_plots(timeline)
    drawn = pictures.draw_all(plots, folder / FIGURES)
    files.write(folder / "index.html", render(timeline, [(plot, Markup(drawn[plot.name])) for plot in plots]))
    return folder / "index.html"


def render(timeline, plots):
    """The HTML of the page."""
    previous = timeline.against_first[timeline.newest]
    return pages.render(
        "accelbench.history",
        "history.html.jinja",
        timeline=timeline,
        machine=timeline.runs[-1].results.machine,
        warnings=warnings(previous),
        plots=plots,
        folder=FIGURES,
        groups=[(group, _counts(timeline, group)) for group in timeline.ratios],
    )


def kernel_plots(timeline):
    """A Plot a kernel: a line a backend, over the runs."""
    kernels = {}
    for kernel, backend in timeline.ratios:
        kernels.setdefault(kernel, []).append(backend)
    return [_plot(timeline, kernel, backends) for kernel, backends in kernels.items()]


def _plot(timeline, kernel, backends):
    looks = style.looks({backend: backend for backend in backends})
    lines = [_line(timeline.ratios[kernel, backend], backend, looks[backend]) for backend in backends]
    marks = [
        ChangeMark(run, heights[run], verdict, _told(timeline, (kernel, backend), (run, verdict)))
        for backend, line in zip(backends, lines, strict=True)
        for heights in [dict(zip(line.x, line.y, strict=True))]
        for run, changes in timeline.by_group[kernel, backend].items()
        for verdict in (FASTER, SLOWER)
        if run in heights and any(change.pair.verdict == verdict for change in changes)
    ]
    chart = HistoryLines(lines, timeline.labels, marks)
    summary = f"{kernel}, how many times as fast as in the first run, a line a backend. {chart.alt_text()}"
    return pictures.Plot(f"{style.slug(kernel)}-history", chart, kernel, summary)


def _line(ratios, backend, look):
    """The geometric mean of a backend's cases in each run, the band from the slowest to the fastest of them."""
    runs = [0, *ratios]
    means = [1.0, *(geometric_mean(own) for own in ratios.values())]
    return Line(backend, look, runs, means, [1.0, *map(min, ratios.values())], [1.0, *map(max, ratios.values())])


def _told(timeline, group, mark):
    """A change point in words: how many cases, and the largest of them."""
    run, verdict = mark
    changes = [change for change in timeline.by_group[group][run] if change.pair.verdict == verdict]
    largest = max(changes, key=lambda change: abs(math.log(change.pair.ratio)))
    return f"{group[1]}, run {run + 1}: {len(changes)} {verdict}, most of all {tell(largest.pair)}"


def _counts(timeline, group):
    """Of each run but the first, {verdict: cases that changed there}."""
    own = timeline.by_group[group]
    return [
        {word: sum(change.pair.verdict == word for change in own.get(run, ())) for word in (FASTER, SLOWER)}
        for run in range(1, len(timeline.runs))
    ]
