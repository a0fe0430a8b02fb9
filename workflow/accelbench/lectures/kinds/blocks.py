"""Figures of the kind `blocks`: lines over the block size."""

import math

from accelbench.figures import style
from accelbench.lectures.kind import Kind
from accelbench.lectures.view import KINDS_OF_TIME, View, listed, nothing
from accelbench.model.parameters import BLOCK_SIZE


class BlocksKind(Kind):
    """Time over the number of threads in a block, lines of their own for each size."""

    of_one_time = True

    def view(self, entry, results):
        from accelbench.figures.block_lines import BlockLines
        from accelbench.lectures.lines import best_lines, highest_first, not_drawn, time_of_fastest, why_none

        sizes = sorted({case.record.size for case in results.cases if _threads(case) is not None})
        lines = []
        for number, size in enumerate(sizes):
            at_size = [case for case in results.cases if case.record.size == size]
            own = best_lines(entry, at_size, _threads, time_of_fastest(entry.time))
            lines += [line.marked(style.size(size), number) for line in own] if len(sizes) > 1 else own
        lines = highest_first(lines)
        if not lines:
            return nothing(why_none(entry, results))
        ticks = {x: f"{round(2**x)}" for found in lines for x in found.line.x}
        figure = BlockLines([found.line for found in lines], ticks)
        return View(
            figure,
            f"{entry.title}: {KINDS_OF_TIME[entry.time]} by block size.",
            *figure.numbers(),
            sentences=[_tell(line, ticks) for line in figure.lines if len(line.x) > 1],
            missing=not_drawn(entry, results, lines),
        )


def _threads(case):
    """The base-2 logarithm of the number of threads in a case's blocks, or None."""
    block = case.record.parameters.get(BLOCK_SIZE)
    return None if block is None else math.log2(block.threads)


def _tell(line, ticks):
    """Which block sizes the intervals cannot tell from the fastest, and what the slowest costs."""
    best, worst = line.y.index(min(line.y)), line.y.index(max(line.y))
    close = [x for x, low in zip(line.x, line.low, strict=True) if low <= line.high[best]]
    if len(close) == len(line.x):
        return f"{line.label}: {style.seconds(line.y[best])}, whatever the block size, as far as the intervals tell."
    first, last = line.x.index(close[0]), line.x.index(close[-1])
    run = len(close) > 2 and last - first == len(close) - 1
    fastest = f"{ticks[close[0]]} to {ticks[close[-1]]}" if run else listed([ticks[x] for x in close])
    tie = ", which tie" if len(close) > 1 else ""
    return (
        f"{line.label}: fastest with {fastest}{tie} ({style.seconds(line.y[best])}); "
        f"{ticks[line.x[worst]]} takes {style.ratio(line.y[worst] / line.y[best])} as long."
    )
