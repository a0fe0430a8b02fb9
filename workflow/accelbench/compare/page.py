"""HTML page of two compared runs: one self-contained file in the style of the report."""

from collections import defaultdict
from operator import attrgetter

from markupsafe import Markup

from accelbench.compare.pairs import COUNTED
from accelbench.compare.terminal import closing, tell
from accelbench.compare.warnings import warnings
from accelbench.figures import canvas, strips, style, svg
from accelbench.figures.lines import Line, LineChart
from accelbench.pages import page as pages
from accelbench.statistics import geometric_mean

MOST_NAMED = 60  # Maximum number of FASTER and SLOWER cases in the first figure
# {verdict: CSS variable of its colour}
VARIABLES = {"FASTER": "--faster", "SLOWER": "--slower", "SAME": "--ink", "AMBIGUOUS": "--b-other"}
LABEL = "how many times as fast B is"


def render(runs, trend=None):
    """Return the HTML of the page for a RunComparison, and for a Trend of several runs if `trend` is given."""
    return pages.render(
        "accelbench.compare",
        "compare.html.jinja",
        runs=runs,
        machines=[results.machine for results in runs.results],
        latest=[
            max((run for _, run in results.runs), key=attrgetter("started"), default=None) for results in runs.results
        ],
        closing=list(closing(runs)),
        warnings=warnings(runs),
        words=COUNTED,
        variables=VARIABLES,
        most_named=MOST_NAMED,
        pictures=_pictures(runs),
        trend=trend,
        trend_lines=_trend_lines(trend) if trend else None,
        pairs=sorted(runs.pairs, key=lambda pair: pair.ratio),
    )


def _pictures(runs):
    """Return (title, description, SVG) of each figure."""
    canvas.use_style()
    pictures = []
    if runs.called:
        largest = sorted(runs.called, key=lambda pair: -abs(pair.ratio - 1))[:MOST_NAMED]
        shown = sorted(largest, key=lambda pair: pair.ratio)
        names = [f"{pair.first.record.kernel}: {pair.label}" for pair in shown]
        drawn = _draw(runs, shown, name="called", names=names)
        pictures.append(("FASTER or SLOWER", "; ".join(map(tell, shown)), drawn))
    if runs.decided:
        slowest, fastest = runs.decided[0], runs.decided[-1]
        words = f"{len(runs.decided)} ratios from {style.ratio(slowest.ratio)} to {style.ratio(fastest.ratio)}"
        pictures.append(("Every case with a verdict, in order", words, _draw(runs, runs.decided, name="every")))
    return pictures


def _draw(runs, pairs, *, name, names=None):
    figure = strips.Ratios([pair.compared for pair in pairs], runs.scatter.same_within, LABEL, names)
    return Markup(svg.inline(canvas.drawn(figure), name, [tell(pair) for pair in pairs]))


def _trend_lines(trend):
    """Return (description, SVG) of the mean speed of each backend in each run; None if no case has a verdict."""
    ratios = defaultdict(dict)
    for run, compared in enumerate(trend.comparisons, 2):
        for pair in compared.decided:
            ratios[pair.first.record.backend].setdefault(run, []).append(pair.ratio)
    lines = [
        Line(
            backend,
            look,
            [1, *ratios[backend]],
            *([1.0, *map(measure, ratios[backend].values())] for measure in (geometric_mean, min, max)),
        )
        for backend, look in style.looks({backend: backend for backend in sorted(ratios)}).items()
    ]
    chart = LineChart(lines, "run", "x", "times as fast as in run 1", x_name="run", height=154)
    words = ", ".join(f"{line.label} {chart.show(line.y[-1])} in run {line.x[-1]}" for line in lines)
    return (words, Markup(svg.inline(canvas.drawn(chart), "trend"))) if lines else None
