"""Figures of the kind `blocks`: times by block size."""

import pandas as pd

from accelbench.analysis.choices import group_by
from accelbench.figures import style
from accelbench.figures.chart import Table
from accelbench.figures.strips import Dot, Strip
from accelbench.lectures.views import (
    KINDS_OF_TIME,
    View,
    best_lines,
    listed,
    not_drawn,
    nothing,
    time_of_fastest,
    why_none,
)
from accelbench.model.parameters import BLOCK_SIZE

SIGNS = (("o", "full", "a block no slower than the best"), ("o", "none", "a slower one"))


def view(entry, results):
    """Return the View of time by the number of threads in a block, with a row for each implementation and size."""
    swept = (case for case in results.cases if BLOCK_SIZE in case.record.parameters)
    sizes = group_by(swept, lambda case: case.record.size)
    found, value_of = [], time_of_fastest(entry.time)
    for size, cases in sorted(sizes.items(), reverse=True):
        best = {line.label: line for line in best_lines(entry, cases, x_of=lambda _: 0, value_of=value_of)}
        lines = best_lines(entry, cases, x_of=lambda c: c.record.parameters[BLOCK_SIZE].threads, value_of=value_of)
        suffix = f" · {style.size(size)}" if len(sizes) > 1 else ""
        found += [(f"{line.label}{suffix}", line, best[line.label]) for line in lines]
    if not found:
        return nothing(why_none(entry, results))
    times = pd.DataFrame({label: dict(zip(line.x, line.y, strict=True)) for label, line, _ in found}).sort_index()
    numbers = Table(
        ["block size", *map(str, times.index)], [[name, *map(style.seconds, own)] for name, own in times.items()]
    )
    chart = Strip([(label, _dots(line)) for label, line, _ in found], KINDS_OF_TIME[entry.time], "s", numbers, SIGNS)
    sentences = [_tell(*each, results=results) for each in found if len(each[1].x) > 1]
    return View(chart, sentences=sentences, missing=not_drawn(entry, results, [line for _, line, _ in found]))


def _tie(line):
    """The blocks that intervals do not tell from the fastest."""
    high = line.high[line.y.index(min(line.y))]
    return [x for x, low in zip(line.x, line.low, strict=True) if low <= high]


def _dots(line):
    tie = _tie(line)
    return [
        Dot(y, f"{x}: {style.seconds(y)}", line.look.color, "o", "full" if x in tie else "none")
        for x, y in zip(line.x, line.y, strict=True)
    ]


def _tell(label, line, best, *, results):
    """Which block sizes the intervals cannot tell from the fastest, and what the slowest costs beside that, `best`: its
    seconds by repetitions that had no part in choosing it."""
    seconds, tie = results.text(style.seconds, best.y[0], best.low[0], best.high[0]), _tie(line)
    if len(tie) == len(line.x):
        return f"{label}: {seconds}, whatever the block size, as far as the intervals tell."
    run = len(tie) > 2 and line.x.index(tie[-1]) - line.x.index(tie[0]) == len(tie) - 1
    fastest = f"{tie[0]} to {tie[-1]}" if run else listed([*map(str, tie)])
    worst = line.y.index(max(line.y))
    slower = results.text(
        style.ratio, line.y[worst] / best.y[0], line.low[worst] / best.high[0], line.high[worst] / best.low[0]
    )
    which = f"{label}: fastest with {fastest}{', which tie' if len(tie) > 1 else ''} ({seconds})"
    return f"{which}; {line.x[worst]} takes {slower} as long."
