"""Figures of the kind `ranking`: one time an implementation, fastest first."""

from accelbench.figures.ranking import Ranking
from accelbench.lectures.lines import best_lines, not_drawn, time_of_fastest, why_none
from accelbench.lectures.view import KINDS_OF_TIME, View, nothing


def view(entry, results):
    """Return the View of times at the largest size; with `per: size`, of one of what the size counts."""
    largest = max((case.record.size for case in results.cases if case.ok), default=None)
    cases = [case for case in results.cases if case.record.size == largest]
    lines = best_lines(
        entry,
        cases,
        x_of=lambda case: case.record.size,
        value_of=time_of_fastest(entry.time, largest if entry.per == "size" else 1),
    )
    if not lines:
        return nothing(why_none(entry, results))
    label = KINDS_OF_TIME[entry.time]
    if entry.per == "size":
        label = f"time / {results.kernels[cases[0].record.kernel].size}"
    chart = Ranking([found.line for found in lines], label)
    return View(chart, f"{entry.title}: {label}.", sentences=[_tell(chart)], missing=not_drawn(entry, results, lines))


def _tell(chart):
    """The least and the most."""
    words = [f"{line.label}, {chart.show(line.y[-1])}" for line in chart.lines]
    return f"The least: {words[-1]}." if len(words) == 1 else f"The least: {words[-1]}; the most: {words[0]}."
