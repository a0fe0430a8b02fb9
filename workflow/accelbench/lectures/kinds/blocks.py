"""Figures of the kind `blocks`: lines over the block size."""

import math

from accelbench.figures import style
from accelbench.figures.block_lines import BlockLine, BlockLines
from accelbench.lectures.lines import best_lines, highest_first, not_drawn, time_of_fastest, why_none
from accelbench.lectures.view import KINDS_OF_TIME, View, listed, nothing
from accelbench.model.parameters import BLOCK_SIZE


def view(entry, results):
    """Return the View of time over the number of threads in a block, with lines for each size."""
    sizes = sorted({case.record.size for case in results.cases if _threads(case) is not None})
    lines, told, value_of = [], {}, time_of_fastest(entry.time)
    for number, size in enumerate(sizes):
        at_size = [case for case in results.cases if case.record.size == size and _threads(case) is not None]
        best = best_lines(entry, at_size, x_of=lambda _: 0, value_of=value_of)
        best = {found.line.label: found.line.y[0] for found in best}
        for found in best_lines(entry, at_size, x_of=_threads, value_of=value_of):
            line = found.marked(style.size(size), number) if len(sizes) > 1 else found
            lines.append(line)
            told[line.line.label] = best[found.line.label]
    lines = highest_first(lines)
    if not lines:
        return nothing(why_none(entry, results))
    chart = BlockLines(
        [_with_best(found.line) for found in lines],
        {x: f"{round(2**x)}" for found in lines for x in found.line.x},
    )
    return View(
        chart,
        f"{entry.title}: {KINDS_OF_TIME[entry.time]} by block size.",
        sentences=[_tell(line, chart.name_of, told[line.label]) for line in chart.lines if len(line.x) > 1],
        missing=not_drawn(entry, results, lines),
    )


def _threads(case):
    """The base-2 logarithm of the number of threads in a case's blocks, or None."""
    block = case.record.parameters.get(BLOCK_SIZE)
    return None if block is None else math.log2(block.threads)


def _with_best(line):
    """The BlockLine of a Line, with the fastest block size and those that its interval cannot tell from it."""
    best = line.y.index(min(line.y))
    tie = [x for x, low in zip(line.x, line.low, strict=True) if low <= line.high[best]]
    return BlockLine(**vars(line), best=line.x[best], tie=tie)


def _tell(line, name_of, best):
    """Which block sizes the intervals cannot tell from the fastest, and what the slowest costs beside that, `best`: its
    seconds by repetitions that had no part in choosing it."""
    worst = max(line.y)
    if len(line.tie) == len(line.x):
        return f"{line.label}: {style.seconds(best)}, whatever the block size, as far as the intervals tell."
    tied = [name_of(x) for x in line.tie]
    run = len(tied) > 2 and line.x.index(line.tie[-1]) - line.x.index(line.tie[0]) == len(tied) - 1
    fastest = f"{tied[0]} to {tied[-1]}" if run else listed(tied)
    tie = ", which tie" if len(tied) > 1 else ""
    slowest = name_of(line.x[line.y.index(worst)])
    return (
        f"{line.label}: fastest with {fastest}{tie} ({style.seconds(best)}); {slowest} takes "
        f"{style.ratio(worst / best)} as long."
    )
