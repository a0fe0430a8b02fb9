"""Two runs compared, as one self-contained HTML page in the manner of the report."""

from markupsafe import Markup

from accelbench.analysis.cases import same_within
from accelbench.compare import figure, summary
from accelbench.compare.terminal import closing
from accelbench.compare.warnings import warnings
from accelbench.figures import canvas, style
from accelbench.pages import page as pages

MOST_NAMED = 60
VARIABLES = {"FASTER": "--faster", "SLOWER": "--slower", "SAME": "--ink", "AMBIGUOUS": "--b-other"}


def render(runs):
    """The HTML of the page."""
    within = max(same_within(results.machine) for results in runs.results)
    called = summary.called(runs)
    return pages.render(
        "accelbench.compare",
        "compare.html.jinja",
        runs=runs,
        machines=[_machine(results) for results in runs.results],
        closing=list(closing(runs)),
        warnings=warnings(runs),
        counts=summary.counts(runs),
        words=summary.COUNTED,
        variables=VARIABLES,
        called=called,
        most_named=MOST_NAMED,
        within=within,
        pictures=_pictures(runs, called, within),
        rows=[_row(pair) for pair in sorted(runs.pairs, key=_ratio)],
    )


def _pictures(runs, called, within):
    """[(title, what it shows in words, SVG)]."""
    canvas.use_style()
    pairs = sorted((pair for pair in runs.pairs if pair.compared.verdict), key=_ratio)
    found = []
    if called:
        shown = sorted(sorted(called, key=lambda pair: -abs(pair.compared.ratio - 1))[:MOST_NAMED], key=_ratio)
        words = "; ".join(map(figure.tell, shown))
        found.append(("FASTER or SLOWER", words, Markup(figure.svg(figure.named(shown, within), "called", shown))))
    if pairs:
        words = f"{len(pairs)} ratios from {style.ratio(_ratio(pairs[0]))} to {style.ratio(_ratio(pairs[-1]))}"
        drawn = figure.svg(figure.every(pairs, within), "every", pairs)
        found.append(("Every case with a verdict, in order", words, Markup(drawn)))
    return found


def _machine(results):
    machine = results.machine
    runs = [run for card in results.cards.values() for run in card["runs"]]
    latest = max(runs, key=lambda run: run["started"], default={"started": "", "commit": None, "dirty": False})
    return {
        "name": machine["name"],
        "processor": f"{machine['cpu']['model']}, {machine['cpu']['available']} cores",
        "gpus": ", ".join(str(gpu.get("name", gpu)) for gpu in machine["gpus"]),
        "virtualised": machine["virtualised"],
        "measured": latest["started"],
        "commit": latest["commit"],
        "dirty": latest["dirty"],
    }


def _row(pair):
    return {
        "case": pair.first.id,
        "backend": pair.first.record.backend,
        "seconds": [case.seconds("compute") for case in (pair.first, pair.second)],
        "compared": pair.compared,
        "verdict": summary.verdict(pair),
        "by": pair.by,
        "note": pair.note,
    }


def _ratio(pair):
    return pair.compared.ratio or 0.0
