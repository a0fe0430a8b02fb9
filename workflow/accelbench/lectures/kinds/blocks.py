"""Figures of the kind `blocks`: lines over the block size."""

import math
from dataclasses import replace

from accelbench.analysis.choices import group_by
from accelbench.figures import style
from accelbench.figures.block_lines import BlockLines
from accelbench.lectures.views import View, best_lines, listed, not_drawn, nothing, time_of_fastest, why_none
from accelbench.model.parameters import BLOCK_SIZE


def view(entry, results):
    """Return the View of time over the number of threads in a block, with lines for each size."""
    sizes = group_by((case for case in results.cases if _threads(case) is not None), lambda case: case.record.size)
    lines, told, value_of = [], {}, time_of_fastest(entry.time)
    for number, (size, cases) in enumerate(sorted(sizes.items())):
        best = {line.label: line for line in best_lines(entry, cases, x_of=lambda _: 0, value_of=value_of)}
        for line in best_lines(entry, cases, x_of=_threads, value_of=value_of):
            label, look = line.label, line.look
            if len(sizes) > 1:
                label, look = f"{label} · {style.size(size)}", look.numbered(number)
            fastest = line.y.index(min(line.y))
            tie = [x for x, low in zip(line.x, line.low, strict=True) if low <= line.high[fastest]]
            lines.append(replace(line, label=label, look=look, best=line.x[fastest], tie=tie))
            told[label] = best[line.label]
    if not lines:
        return nothing(why_none(entry, results))
    lines.sort(key=lambda line: line.y[-1], reverse=True)
    chart = BlockLines(lines, {x: f"{round(2**x)}" for line in lines for x in line.x})
    sentences = [_tell(line, told[line.label], results) for line in lines if len(line.x) > 1]
    return View(chart, sentences=sentences, missing=not_drawn(entry, results, lines))


def _threads(case):
    """The base-2 logarithm of the number of threads in a case's blocks, or None."""
    block = case.record.parameters.get(BLOCK_SIZE)
    return None if block is None else math.log2(block.threads)


def _tell(line, best, results):
    """Which block sizes the intervals cannot tell from the fastest, and what the slowest costs beside that, `best`: its
    seconds by repetitions that had no part in choosing it."""
    seconds = results.told(style.seconds, best.y[0], best.low[0], best.high[0])
    if len(line.tie) == len(line.x):
        return f"{line.label}: {seconds}, whatever the block size, as far as the intervals tell."
    tied = [f"{round(2**x)}" for x in line.tie]
    run = len(tied) > 2 and line.x.index(line.tie[-1]) - line.x.index(line.tie[0]) == len(tied) - 1
    fastest = f"{tied[0]} to {tied[-1]}" if run else listed(tied)
    worst = line.y.index(max(line.y))
    slower = results.told(
        style.ratio, line.y[worst] / best.y[0], line.low[worst] / best.high[0], line.high[worst] / best.low[0]
    )
    return (
        f"{line.label}: fastest with {fastest}{', which tie' if len(tied) > 1 else ''} ({seconds}); "
        f"{round(2 ** line.x[worst])} takes {slower} as long."
    )
