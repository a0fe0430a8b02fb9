"""Figures of the kind `ranking`: one time an implementation, fastest first."""

from accelbench.figures import strips, style
from accelbench.lectures.measured import largest
from accelbench.lectures.views import KINDS_OF_TIME, View, best_lines, not_drawn, nothing, time_of_fastest, why_none


def view(entry, results):
    """Return the View of times at the largest size; with `per: size`, of one of what the size counts."""
    cases = largest([case for case in results.cases if case.ok])
    parts = cases[0].record.size if cases and entry.per == "size" else 1
    value_of = time_of_fastest(entry.time, parts)
    lines = best_lines(entry, cases, x_of=lambda case: case.record.size, value_of=value_of)
    if not lines:
        return nothing(why_none(entry, results))
    label = KINDS_OF_TIME[entry.time]
    if entry.per == "size":
        label = f"time / {results.kernels[cases[0].record.kernel].size}"
    words = [f"{line.label}, {results.text(style.seconds, line.y[0], line.low[0], line.high[0])}" for line in lines]
    told = f"The least: {words[-1]}{f'; the most: {words[0]}' if words[1:] else ''}."
    return View(strips.ranking(lines, label), sentences=[told], missing=not_drawn(entry, results, lines))
