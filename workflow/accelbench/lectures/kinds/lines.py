"""Kinds of figures that compare implementations: by problem size, at the largest problem size, and by block size."""

import pandas as pd

from accelbench.analysis.choices import group_by
from accelbench.figures import strips, style
from accelbench.figures.chart import Table
from accelbench.figures.lines import LineChart
from accelbench.lectures.measured import fastest, largest
from accelbench.lectures.views import (
    KINDS_OF_TIME,
    RESIDENT,
    View,
    best_lines,
    device_name,
    listed,
    not_drawn,
    nothing,
    time_of_fastest,
    transferred,
    why_none,
)
from accelbench.model.parameters import BLOCK_SIZE


def size(entry, results):
    """Return the View of a figure with times, or with speedups over another implementation, by problem size."""

    def ratio_of_fastest(cases):
        comparison = results.ratio(_reference(entry, results, cases[0]), fastest(cases, entry.time))
        return comparison.ratio, comparison.low or comparison.ratio, comparison.high or comparison.ratio

    in_ratios = entry.show == "ratio"
    lines = best_lines(
        entry,
        results.cases,
        x_of=lambda case: case.record.size or None,
        value_of=ratio_of_fastest if in_ratios else time_of_fastest(entry.time),
    )
    if not lines:
        return nothing(why_none(entry, results))
    baselines = {case.baseline.case.record.implementation for case in results.cases if case.baseline}
    names = ({entry.over} if entry.over else baselines) if in_ratios else set()
    over = " or ".join(sorted(names)) or None
    shown = ("x", f"speedup over {over}") if over else ("s",)
    chart = LineChart(lines, results.kernels[results.cases[0].record.kernel].size, *shown)
    compared = [line for line in lines if over and line.label not in names and not line.fewest_threads]
    sentences = [_tell_crossing(line, over, results) for line in compared] or [_tell_fastest(lines, results)]
    return View(
        chart,
        sentences=sentences + _tell_transfers(entry, results),
        missing=not_drawn(entry, results, lines),
    )


def _reference(entry, results, case):
    """Return the Value over which speedups at the problem of `case` are computed.

    The Value is the time of the entry's implementation `over`. Without `over`, the Value is the baseline's time.
    """
    r = case.record
    cases = [case.baseline.case] if case.baseline else []
    if entry.over:
        cases = results.matching(entry.over, kernel=r.kernel, size=r.size, dtype=r.dtype, options=r.options)
    return fastest(cases, entry.time)


def _tell_fastest(lines, results):
    """Return a sentence that names the fastest line at the largest size."""
    end = max(line.x[-1] for line in lines)
    first = min((line for line in lines if line.x[-1] == end), key=lambda line: line.y[-1])
    time = results.text(style.seconds, first.y[-1], first.low[-1], first.high[-1])
    return f"The fastest at {style.size(end)}: {first.label}, {time}."


def _tell_crossing(line, over, results):
    """Return a sentence about a line: its maximum speedup, and the sizes at which its interval is above 1.

    At a size without an interval, the speedup itself must be above 1.
    """
    best, low, high, at = max(zip(line.y, line.low, line.high, line.x, strict=True))
    text = f"{line.label}: speedup at most {results.text(style.ratio, best, low, high)}, at size {style.size(at)}"
    faster = [x for x, low in zip(line.x, line.low, strict=True) if low > 1]
    if not faster:
        return f"{text}; at no size proven faster than {over}."
    if len(faster) == len(line.x):
        return f"{text}; faster than {over} at every size."
    onwards = faster == [x for x in line.x if x >= faster[0]]
    where = f"from size {style.size(faster[0])} on" if onwards else f"at size {', '.join(map(style.size, faster))}"
    return f"{text}; faster than {over} {where}."


def _tell_transfers(entry, results):
    """Return a list with one sentence: times or speedups that include transfers, at the largest size.

    If there are no such times, the list is empty.
    """
    drawn = [c for c in results.cases if c.ok and c.on_accelerator and entry.draws(c.record.implementation)]
    groups = group_by(largest(drawn), lambda case: (case.record.implementation, case.record.device))
    parts = []
    for (name, device), cases in groups.items() if entry.time in RESIDENT else ():
        over = _reference(entry, results, cases[0]).case if entry.show == "ratio" else None
        if text := transferred(fastest(cases, "end_to_end").case or cases[0], over):
            parts.append(f"{name} · {device_name(device)} {text}")
    return [f"With transfers, at {style.size(largest(drawn)[0].record.size)}: {'; '.join(parts)}."] if parts else []


def ranking(entry, results):
    """Return the View of times at the largest size. If the entry has `per: size`, the times are divided by the size."""
    cases = largest([case for case in results.cases if case.ok])
    parts = cases[0].record.size if cases and entry.per == "size" else 1
    lines = best_lines(entry, cases, x_of=lambda case: case.record.size, value_of=time_of_fastest(entry.time, parts))
    if not lines:
        return nothing(why_none(entry, results))
    counted = results.kernels[cases[0].record.kernel].size
    label = f"time / {counted}" if entry.per == "size" else KINDS_OF_TIME[entry.time]
    words = [f"{line.label}, {results.text(style.seconds, line.y[0], line.low[0], line.high[0])}" for line in lines]
    sentence = f"Fastest: {words[-1]}{f'; slowest: {words[0]}' if words[1:] else ''}."
    return View(strips.ranking(lines, label), sentences=[sentence], missing=not_drawn(entry, results, lines))


SIGNS = (("o", "full", "block size that ties with the best"), ("o", "none", "slower block size"))


def blocks(entry, results):
    """Return the View of times by the number of GPU threads in a block.

    The figure has a row for each combination of implementation, device and problem size.
    """
    swept = (case for case in results.cases if BLOCK_SIZE in case.record.parameters)
    sizes = group_by(swept, lambda case: case.record.size)
    rows, value_of = [], time_of_fastest(entry.time)
    for size, cases in sorted(sizes.items(), reverse=True):
        best = {line.label: line for line in best_lines(entry, cases, x_of=lambda _: 0, value_of=value_of)}
        lines = best_lines(entry, cases, x_of=lambda c: c.record.parameters[BLOCK_SIZE].threads, value_of=value_of)
        suffix = f" · {style.size(size)}" if len(sizes) > 1 else ""
        rows += [(f"{line.label}{suffix}", line, best[line.label]) for line in lines]
    if not rows:
        return nothing(why_none(entry, results))
    times = pd.DataFrame({label: dict(zip(line.x, line.y, strict=True)) for label, line, _ in rows}).sort_index()
    numbers = Table(
        ["block size", *map(str, times.index)], [[name, *map(style.seconds, column)] for name, column in times.items()]
    )
    chart = strips.Strip(
        [(label, _dots(line)) for label, line, _ in rows], KINDS_OF_TIME[entry.time], "s", numbers, SIGNS
    )
    sentences = [_tell_block(*row, results=results) for row in rows if len(row[1].x) > 1]
    return View(chart, sentences=sentences, missing=not_drawn(entry, results, [line for _, line, _ in rows]))


def _tie(line):
    """Return the block sizes whose intervals overlap with the interval of the fastest block size."""
    high = line.high[line.y.index(min(line.y))]
    return [x for x, low in zip(line.x, line.low, strict=True) if low <= high]


def _dots(line):
    tie = _tie(line)
    return [
        strips.Dot(y, f"{x}: {style.seconds(y)}", line.look.color, "o", "full" if x in tie else "none")
        for x, y in zip(line.x, line.y, strict=True)
    ]


def _tell_block(label, line, best, *, results):
    """Return a sentence with the fastest block size, the block sizes that tie with it, and the slowest block size.

    best  Line with the time of the fastest block size, from repetitions other than those that chose the block size
    """
    seconds, tie = results.text(style.seconds, best.y[0], best.low[0], best.high[0]), _tie(line)
    if len(tie) == len(line.x):
        return f"{label}: {seconds}; the intervals of all block sizes overlap."
    run = len(tie) > 2 and line.x.index(tie[-1]) - line.x.index(tie[0]) == len(tie) - 1
    sizes = f"{tie[0]} to {tie[-1]}" if run else listed([*map(str, tie)])
    fastest = f"block sizes {sizes}, which tie" if len(tie) > 1 else f"block size {sizes}"
    worst = line.y.index(max(line.y))
    slower = results.text(
        style.ratio, line.y[worst] / best.y[0], line.low[worst] / best.high[0], line.high[worst] / best.low[0]
    )
    return f"{label}: fastest with {fastest} ({seconds}); block size {line.x[worst]} takes {slower} as long."
