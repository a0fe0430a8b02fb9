"""Figures of the kind `size`: lines over the problem size."""

from accelbench.figures import style
from accelbench.figures.size_lines import SizeLines
from accelbench.lectures.lines import best_lines, not_drawn, time_of_fastest, why_none
from accelbench.lectures.value import fastest
from accelbench.lectures.view import KINDS_OF_TIME, RESIDENT, View, device_name, nothing, transferred


def view(entry, results):
    """Return the View of time over the size, or of how many times faster than another implementation."""
    in_ratios = entry.show == "ratio"
    value_of = _ratio_of_fastest(entry, results) if in_ratios else time_of_fastest(entry.time)
    lines = best_lines(entry, results.cases, x_of=lambda case: case.record.size or None, value_of=value_of)
    if not lines:
        return nothing(why_none(entry, results))
    metadata = results.kernels[results.cases[0].record.kernel]
    names = _names_of_reference(entry, results) if in_ratios else set()
    over = " or ".join(sorted(names))
    chart = SizeLines([found.line for found in lines], metadata.size, over or None)
    summary = f"{entry.title}: " + (f"times faster than {over}." if over else f"{KINDS_OF_TIME[entry.time]}.")
    compared = [line for line in chart.lines if over and line.label not in names and not line.fewest_threads]
    return View(
        chart,
        summary,
        sentences=[_tell_crossing(line, over) for line in compared] + _tell_transfers(entry, results),
        missing=not_drawn(entry, results, lines),
    )


def _ratio_of_fastest(entry, results):
    """A function from cases to (how many times faster the fastest is than what ratios refer to, its interval)."""

    def value_of(cases):
        found = results.ratio(_reference(entry, results, cases[0]), fastest(cases, entry.time))
        return found.ratio, found.low or found.ratio, found.high or found.ratio

    return value_of


def _reference(entry, results, case):
    """The Value that ratios refer to at the problem of `case`: of `over`, or of the baseline there."""
    r = case.record
    if entry.over:
        cases = results.matching(entry.over, kernel=r.kernel, size=r.size, dtype=r.dtype, options=r.options)
    else:
        cases = [case.baseline.case] if case.baseline else []
    return fastest(cases, entry.time)


def _names_of_reference(entry, results):
    """What ratios refer to, at one problem or another."""
    if entry.over:
        return {entry.over}
    return {case.baseline.case.record.implementation for case in results.cases if case.baseline}


def _tell_crossing(line, over):
    """From which size on a line is faster, and how fast it is at its best."""
    best = max(zip(line.y, line.x, strict=True))
    faster = [x for x, low in zip(line.x, line.low, strict=True) if low > 1]
    text = f"{line.label}: at most {style.ratio(best[0])}, at {style.size(best[1])}"
    if not faster:
        return f"{text}; nowhere faster than {over}."
    if len(faster) == len(line.x):
        return f"{text}; faster than {over} at every size."
    tail = [x for x in line.x if x >= faster[0]]
    return f"{text}; faster than {over} " + (
        f"from {style.size(faster[0])} on." if faster == tail else f"at {', '.join(map(style.size, faster))}."
    )


def _tell_transfers(entry, results):
    """What is left of the largest size's times where data must be brought to the device and back, in a sentence."""
    if entry.time not in RESIDENT:
        return []
    drawn = [c for c in results.cases if c.ok and c.on_accelerator and entry.draws(c.record.implementation)]
    largest = max((case.record.size for case in drawn), default=None)
    groups = {}
    for case in drawn:
        if case.record.size == largest:
            groups.setdefault((case.record.implementation, case.record.device), []).append(case)
    parts = []
    for (name, device), cases in groups.items():
        over = _reference(entry, results, cases[0]).case if entry.show == "ratio" else None
        if text := transferred(fastest(cases, "end_to_end").case or cases[0], over):
            parts.append(f"{name} · {device_name(device)} {text}")
    return [f"With transfers, at {style.size(largest)}: {'; '.join(parts)}."] if parts else []
