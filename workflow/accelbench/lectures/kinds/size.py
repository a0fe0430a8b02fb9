"""Figures of the kind `size`: lines over the problem size."""

from accelbench.analysis.choices import group_by
from accelbench.figures import style
from accelbench.figures.line_charts import SizeLines
from accelbench.lectures.measured import fastest, largest
from accelbench.lectures.views import (
    RESIDENT,
    View,
    best_lines,
    device_name,
    not_drawn,
    nothing,
    time_of_fastest,
    transferred,
    why_none,
)


def view(entry, results):
    """Return the View of time over the size, or of how many times faster than another implementation."""

    def ratio_of_fastest(cases):
        found = results.ratio(_reference(entry, results, cases[0]), fastest(cases, entry.time))
        return found.ratio, found.low or found.ratio, found.high or found.ratio

    in_ratios = entry.show == "ratio"
    value_of = ratio_of_fastest if in_ratios else time_of_fastest(entry.time)
    lines = best_lines(entry, results.cases, x_of=lambda case: case.record.size or None, value_of=value_of)
    if not lines:
        return nothing(why_none(entry, results))
    baselines = {case.baseline.case.record.implementation for case in results.cases if case.baseline}
    names = ({entry.over} if entry.over else baselines) if in_ratios else set()
    over = " or ".join(sorted(names)) or None
    chart = SizeLines(lines, results.kernels[results.cases[0].record.kernel].size, over)
    compared = [line for line in lines if over and line.label not in names and not line.fewest_threads]
    told = [_tell_crossing(line, over, results) for line in compared] or [_tell_fastest(lines, results)]
    return View(
        chart,
        sentences=told + _tell_transfers(entry, results),
        missing=not_drawn(entry, results, lines),
    )


def _reference(entry, results, case):
    """The Value that ratios refer to at the problem of `case`: of `over`, or of the baseline there."""
    r = case.record
    cases = [case.baseline.case] if case.baseline else []
    if entry.over:
        cases = results.matching(entry.over, kernel=r.kernel, size=r.size, dtype=r.dtype, options=r.options)
    return fastest(cases, entry.time)


def _tell_fastest(lines, results):
    """Who is the fastest at the largest size."""
    end = max(line.x[-1] for line in lines)
    first = min((line for line in lines if line.x[-1] == end), key=lambda line: line.y[-1])
    told = results.text(style.seconds, first.y[-1], first.low[-1], first.high[-1])
    return f"The fastest at {style.size(end)}: {first.label}, {told}."


def _tell_crossing(line, over, results):
    """From which size on a line is faster, and how fast it is at its best."""
    best, low, high, at = max(zip(line.y, line.low, line.high, line.x, strict=True))
    text = f"{line.label}: at most {results.text(style.ratio, best, low, high)}, at {style.size(at)}"
    faster = [x for x, low in zip(line.x, line.low, strict=True) if low > 1]
    if not faster:
        return f"{text}; nowhere faster than {over}."
    if len(faster) == len(line.x):
        return f"{text}; faster than {over} at every size."
    onwards = faster == [x for x in line.x if x >= faster[0]]
    where = f"from {style.size(faster[0])} on" if onwards else f"at {', '.join(map(style.size, faster))}"
    return f"{text}; faster than {over} {where}."


def _tell_transfers(entry, results):
    """What is left of the largest size's times where data must be brought to the device and back, in a sentence."""
    drawn = [c for c in results.cases if c.ok and c.on_accelerator and entry.draws(c.record.implementation)]
    groups = group_by(largest(drawn), lambda case: (case.record.implementation, case.record.device))
    parts = []
    for (name, device), cases in groups.items() if entry.time in RESIDENT else ():
        over = _reference(entry, results, cases[0]).case if entry.show == "ratio" else None
        if text := transferred(fastest(cases, "end_to_end").case or cases[0], over):
            parts.append(f"{name} · {device_name(device)} {text}")
    return [f"With transfers, at {style.size(largest(drawn)[0].record.size)}: {'; '.join(parts)}."] if parts else []
