"""Figures of the kind `table`: rows with the lecture's numbers (recorded) and the measured numbers side by side."""

import math
from fnmatch import filter as matching
from types import SimpleNamespace

from accelbench.analysis.verdicts import Comparison
from accelbench.figures import chart, strips, style
from accelbench.lectures import measured, views

SIGNS = (("o", "full", "measured here"), ("D", "none", "recorded then"))
NEAR = 2.001  # Maximum factor between a recorded ratio and a measured ratio that counts as reproduced
COLUMNS = (
    "", "recorded", "here", "recorded ratio", "ratio here", "95 % interval", "with transfers", "implementation", "how",
)  # fmt: skip


def table(entry, results):
    """Return the View of a table with measured times or ratios beside the lecture's numbers.

    A row shows the fastest of the cases that match the row. Figures of the lecture `today` show only rows with a
    number. Figures of ratios show only rows whose reference is another row.
    """
    values = {row.label: _value(row, entry, results) for row in entry.rows}
    rows = {row.label: row for row in entry.rows}
    lines = [_compare(row, rows.get(row.over or entry.over), values, results=results) for row in entry.rows]
    lacking = (line for line in lines if line.row.implementation is not None and line.value.seconds is None)
    missing = views.by_reason((line.row.label, line.value.reason) for line in lacking)
    in_ratios = entry.show == "ratio"
    lines = [
        line
        for line in lines
        if (entry.lecture != views.TODAY or line.value.seconds or line.row.recorded_s)
        and (not in_ratios or line.over is not None)
    ]
    rows, texts = zip(*(_row(line, in_ratios) for line in lines), strict=True) if lines else ((), ())
    if not any(dots for _, dots in rows):
        return views.nothing("; ".join(dict.fromkeys(line.value.reason for line in lines)), values=values)
    times = {line.row.time or entry.time for line in lines}
    axis = (
        ("times as fast", "x") if in_ratios else (views.KINDS_OF_TIME[times.pop()] if len(times) == 1 else "time", "s")
    )
    cells = [_cells(line, in_ratios) for line in lines]
    used = [
        place for place, column in enumerate(zip(*cells, strict=True)) if {*column} - {"", views.EMPTY} or not place
    ]
    columns, *shown = ([row[place] for place in used] for row in (COLUMNS, *cells))
    return views.View(
        strips.Strip([*rows], *axis, signs=SIGNS, texts=texts),
        " ".join([entry.headline, *(f"{label}: {text}." for (label, _), text in zip(rows, texts, strict=True))]),
        chart.Table(columns, shown),
        sentences=[*_tell(lines, in_ratios)],
        missing=missing,
        complete=any(dot.fill == "full" for _, dots in rows for dot in dots),
        values=values,
    )


def _value(row, entry, results):
    """Return the Value of the row's fastest case. If the row has no timed case, the Value contains the reason."""
    if row.implementation is None:
        return measured.Value(reason="there is no counterpart today")
    problem = {"kernel": row.kernel, "size": row.size, "dtype": row.dtype, "options": row.options}
    cases = results.matching(row.implementation, threads=row.threads, device=row.device, **problem)
    parts = [
        part.needs
        for part in entry.measure
        if row.kernel in (None, part.kernel) and (row.size is None or part.sizes is None or row.size in part.sizes)
    ]
    if not cases and not results.gpus and (row.device == "gpu" or {*parts} == {"gpu"}):
        return measured.Value(reason="there is no GPU here")
    if not cases and (names := matching(results.left_out, row.implementation)):
        return measured.Value(reason=results.left_out[names[0]])
    return measured.fastest(cases, row.time or entry.time)


def _compare(row, base, values, *, results):
    """Return a namespace with the content of a displayed row. `base` is the row with the reference time, or None.

    row, value, text  the entry's row, the row's Value, and this Value as text
    over              the Value of `base`; None if there is no `base` or if the row is `base` itself
    now, ratio        the Comparison of the measured times, and the measured ratio as text
    then              the recorded ratio; None if it is unknown or not comparable
    no_ratio          reason why there is no measured ratio, other than missing times
    """
    value, shown = values[row.label], SimpleNamespace(row=row, over=None, now=Comparison(), then=None, no_ratio="")
    shown.value, shown.ratio = value, views.EMPTY
    shown.text = results.text(style.seconds, value.seconds, *value.interval) if value.seconds else value.reason
    if base is row:
        shown.then = 1.0 if row.recorded_s and not row.unlike else None
        shown.ratio = style.ratio(1) if value.seconds else views.EMPTY
    elif base:
        shown.over = over = values[base.label]
        if value.case and over.case:
            kernels = {case.record.kernel for case in (value.case, over.case)}
            if len(kernels) == 1 and value.case.problem != over.case.problem:
                shown.no_ratio = "none: different problems"
            elif value.kind != over.kind and "launch" in (value.kind, over.kind):
                shown.no_ratio = "none: launch times are not comparable"
        shown.now = Comparison() if shown.no_ratio else results.ratio(over, value)
        shown.ratio = results.text(style.ratio, *shown.now[:3])
        recorded = base.recorded_s and row.recorded_s and base.recorded_s / row.recorded_s
        shown.then = None if row.unlike or base.unlike else row.recorded_ratio or recorded
    return shown


def _row(line, in_ratios):
    """Return ((label, dots of the measured and the recorded number), text beside the dots)."""
    row, value, now = line.row, line.value, line.now
    here, then, show = (now[:3], line.then, style.ratio) if in_ratios else (
        (value.seconds, *value.interval), row.recorded_s, style.seconds
    )  # fmt: skip
    text = (line.ratio if in_ratios else line.text).partition(" (")[0] if here[0] else measured.NOTHING
    texts = [text] if here[0] or row.implementation else []
    texts += [f"then {show(then)}"] if then else []
    if not in_ratios and now.ratio:
        texts[0] += f" ({line.ratio.partition(' (')[0]})"
        if then and line.then:
            texts[-1] += f" ({style.ratio(line.then)})"
    color = style.color(value.case.record.backend) if value.case else style.OTHER_LIGHT
    dots = [strips.Dot(here[0], text, color, "o", "full", ends=here[1] and here[1:])] if here[0] else []
    dots += [strips.Dot(then, f"then {show(then)}", style.INK, "D", "none")] if then else []
    return (row.label, dots), ", ".join(texts)


def _cells(line, in_ratios):
    case, over = line.value.case, line.over.case if in_ratios and line.over else None
    return [
        line.row.label,
        style.seconds(line.row.recorded_s),
        line.text,
        style.ratio(line.then),
        line.ratio,
        _interval(line),
        views.transferred(case, over) if case and line.value.kind in views.RESIDENT else "",
        case.record.implementation if case else views.EMPTY,
        views.how(line.value),
    ]


def _interval(line):
    """Return the interval of a row's ratio as text, or the reason why the ratio has no interval."""
    if line.no_ratio or not line.now.ratio:
        return line.no_ratio
    if line.now.low is None:
        processes = [len(value.case.record.repetitions) for value in (line.value, line.over) if value.case]
        return "none: measured in one process" if 1 in processes else "none: not measured side by side"
    return style.interval(line.now.low, line.now.high, style.ratio)


def _tell(lines, in_ratios):
    """Yield sentences that compare the measured numbers with the recorded numbers."""
    alike = [line for line in lines if not line.row.unlike]
    yield from _tell_ratios([line for line in alike if line.then and line.now.ratio and not _uncertain(line.ratio)])
    timed = [line for line in alike if line.row.recorded_s and line.value.seconds and not _uncertain(line.text)]
    comparable = len({line.value.case.record.kernel for line in timed}) == 1
    if comparable and len({(line.value.case.id, line.value.kind) for line in timed}) > 2:
        swapped = _swapped(timed)
        yield (
            f"Does not hold: the order of the times. {swapped[0]} was slower than {swapped[1]} and is faster here."
            if swapped
            else "Holds: the order from fastest to slowest is the same as then."
        )
    if len(timed) > 1:
        low, high = (style.ratio(end(line.row.recorded_s / line.value.seconds for line in timed)) for end in (min, max))
        yield f"Then the same work took {low} to {high} as long as it takes here."
    elif timed:
        yield f"{timed[0].row.label}: {style.seconds(timed[0].row.recorded_s)} then, {timed[0].text} here."
    shown = [(line.row.label, line.ratio if in_ratios else line.text) for line in lines]
    yield from (f"{names}." for names in views.by_reason((label, text) for label, text in shown if _uncertain(text)))
    yield from (f"Not compared: {line.row.label}: {line.row.unlike}." for line in lines if line.row.unlike)


def _uncertain(text):
    return text.startswith(style.UNCERTAIN)


def _tell_ratios(lines):
    """Yield a sentence with the number of reproduced ratios, and a sentence with the reversed ratios.

    A ratio is reversed if it is above 1 in the lecture and below 1 in the measurement, or vice versa. Reproduced
    ratios, which differ from the lecture's ratio by at most a factor of NEAR, are never reversed.
    """
    if not lines:
        return
    near = [line for line in lines if 1 / NEAR <= line.now.ratio / line.then <= NEAR]
    far = max(lines, key=lambda line: abs(math.log(line.now.ratio / line.then)))
    text = f"{len(near)} of {len(lines)} recorded ratios are reproduced here within a factor of {NEAR:.3g}"
    yield f"{text}." if far in near else f"{text}; the largest difference is that of {_then_here(far)}."
    turned = [line for line in lines if (line.now.ratio - 1) * (line.then - 1) < 0 and line not in near]
    if turned:
        names = "; ".join(map(_then_here, turned))
        yield f"Does not hold: these ratios are reversed here: {names}."


def _then_here(line):
    return f"{line.row.label}: {style.ratio(line.then)} then, {line.ratio} here"


def _swapped(lines):
    """Return the labels of the two rows whose order changed the most: (now faster, now slower).

    Return None if no two rows changed their order.
    """
    pairs = [
        (b.row.recorded_s / a.row.recorded_s * a.value.seconds / b.value.seconds, b.row.label, a.row.label)
        for a in lines
        for b in lines
        if a.row.recorded_s < b.row.recorded_s and a.value.seconds > b.value.seconds
    ]
    return max(pairs)[1:] if pairs else None
