"""Terminal output of a comparison of runs, and sentences that explain the numbers."""

from rich import box
from rich.table import Column, Table
from rich.text import Text

from accelbench import console as consoles
from accelbench.compare.pairs import COUNTED, NO_VERDICT, RELATIVE
from accelbench.compare.warnings import warnings
from accelbench.errors import one_line
from accelbench.figures import style
from accelbench.pages import spread

COLORS = {"FASTER": "cyan", "SLOWER": "red", "SAME": "green", "AMBIGUOUS": "yellow", NO_VERDICT: "dim"}


def show(runs, every=False, console=None):
    """Print warnings, the cases that are FASTER or SLOWER, and the summary. If `every`, print all cases."""
    console = console or consoles.standard_output()
    first, second = runs.names
    console.print(Text(f"A: {first}\nB: {second}"))
    for message in warnings(runs):
        console.print(Text(f"note: {one_line(message)}", style="yellow"))
    pairs = sorted(runs.pairs, key=lambda pair: pair.ratio) if every else runs.called
    if pairs:
        console.print(_cases(pairs))
    for alone in runs.alone if every else ():
        console.print(Text(f"only in {'AB'[alone.run]}: {alone.case.id} (the other: {alone.reason})"))
    console.print(_counts(runs.counts()))
    for line in closing(runs):
        console.print(Text(one_line(line)))


def show_trend(trend, console=None):
    """Print the runs, a summary, and the cases that became SLOWER in the newest run, the largest slowdown last."""
    console = console or consoles.standard_output()
    for number, (name, day, counts) in enumerate(trend.rows, 1):
        changed = "".join(f", {count} {verdict}" for verdict, count in counts.items() if count)
        console.print(Text(f"run {number}: {name}, {day}{changed}"))
    for change in reversed(trend.slower):
        console.print(Text(one_line(f"SLOWER than in run {change.level + 1}: {tell(change.pair)}")))
    console.print(Text(f"{len(trend.slower)} of {trend.judged} cases with a verdict in the newest run are SLOWER."))


def closing(runs):
    """Yield sentences that explain and summarise the numbers."""
    yield f"Ratios above 1× mean that B is faster. {divided(runs)}"
    if runs.speed is not None:
        yield f"The baselines and the machine's peaks ran {style.ratio(runs.speed)} as fast in B."
    if runs.decided:
        yield f"The intervals include the variation between two runs: {_differing(runs)}."
        yield f"{runs.share_called:.1%} of the cases with a verdict are FASTER or SLOWER."
    only = [sum(alone.run == run for alone in runs.alone) for run in (0, 1)]
    if any(only):
        yield f"Cases with a time in only one run: A has {only[0]}, B has {only[1]}."


def divided(runs):
    """Return a sentence on what the ratios compare, and why."""
    if runs.by == RELATIVE:
        return f"They compare times relative to the NumPy baseline beside them: {runs.why}."
    return f"They compare plain times: {runs.why}."


def tell(pair):
    """Return the name, ratio, interval and verdict of a Pair as one line."""
    compared = pair.compared
    interval = style.interval(compared.low, compared.high, style.significant)
    return f"{pair.first.id}: {style.ratio(compared.ratio)} ({interval or pair.note}) {compared.verdict or ''}".strip()


def _differing(runs):
    """Return a text with the standard deviation between two runs, for each kind of ratio, and its source.

    If a deviation was taken unchanged from the Scatter of one run, the text gives the source in this Scatter.
    """
    scatters = [case.scatter for case in (runs.decided[0].first, runs.decided[0].second)]
    spreads = {
        kind: next((s.spread(kind) for s in scatters if s.spread(kind).deviation == estimate.deviation), estimate)
        for kind, estimate in runs.scatter.runs.items()
    }
    return spread.sentence(spreads, {pair.kind for pair in runs.decided})


def _cases(pairs):
    """Return a table of Pairs. The last column has the names of cases, and wraps long names."""
    columns = (Column(name, no_wrap=True) for name in ("95 % interval", "verdict"))
    ratio, case = Column("ratio", justify="right", no_wrap=True), Column("case", overflow="fold")
    table = Table(ratio, *columns, case, box=box.SIMPLE_HEAD, pad_edge=False)
    for pair in pairs:
        compared = pair.compared
        name = pair.first.id if compared.verdict else f"{pair.first.id} ({pair.note})"
        texts = style.ratio(compared.ratio), style.interval(compared.low, compared.high, style.significant)
        table.add_row(*map(one_line, texts), Text(pair.verdict, style=COLORS[pair.verdict]), Text(name))
    return table


def _counts(rows):
    verdicts = (Column(word, justify="right", style=COLORS[word]) for word in COUNTED)
    table = Table("kernel", "backend", *verdicts, box=box.SIMPLE_HEAD, pad_edge=False)
    for number, ((kernel, backend), counted) in enumerate(rows, 1):
        if number == len(rows):
            table.add_section()
        table.add_row(kernel, backend, *(str(counted[word] or "") for word in COUNTED))
    return table
