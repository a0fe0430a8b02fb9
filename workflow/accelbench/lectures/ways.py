"""Figures of the kind `ways`: a row each, with what was recorded beside what was measured."""

import math
from dataclasses import dataclass

from accelbench.analysis.verdicts import Comparison
from accelbench.figures import style
from accelbench.figures.drawing import Sign
from accelbench.lectures import draw
from accelbench.lectures.measured import NOTHING, Value, ratio
from accelbench.lectures.view import (
    EMPTY,
    KINDS_OF_TIME,
    RESIDENT,
    View,
    by_reason,
    how,
    nothing,
    plot_of,
    transferred,
    variable,
)

NEAR = 2.0  # ratios within this factor of each other are called about the same
COLUMNS = ("", "recorded", "here", "recorded ratio", "ratio here", "95 % interval", "with transfers", "as", "how")


def make(entry, measured):
    """The View of such a figure."""
    found = ways(entry, measured)
    wanted = [way for way in found if way.row.implementation is not None and way.value.seconds is None]
    if entry.show == "ratio":
        found = [way for way in found if way.base is not None and way.base is not way.row]
    bars = [_bar(way, entry) for way in found]
    unit, label = ("x", "times as fast") if entry.show == "ratio" else ("s", _kind_of_time(entry, found))
    columns, cells = _filled(COLUMNS, [_cells(way, entry) for way in found])
    plot = plot_of(
        entry,
        draw.beside,
        {"bars": bars, "unit": unit, "axis_label": label},
        f"{entry.title}. " + " ".join(f"{bar.label}: {bar.text}." for bar in bars),
        columns,
        cells,
        [
            Sign(style.MARKERS[bar.marker], variable(bar.color), f"{bar.label}: {bar.text}", row)
            for row, bar in enumerate(bars)
        ],
    )
    missing = by_reason((way.row.label, way.value.reason) for way in wanted)
    if not any(bar.now for bar in bars) and not any(bar.then for bar in bars):
        return nothing(entry, "; ".join(dict.fromkeys(way.value.reason for way in found)))
    return View(plot, _told(found), missing, complete=any(bar.now for bar in bars))


@dataclass
class Way:
    """A row as it is shown: its Value, the row its ratio refers to and that one's Value, both ratios."""

    row: object
    value: Value
    base: object = None
    over: Value | None = None
    now: object = None
    then: float | None = None


def ways(entry, measured):
    """Every row of a figure of kind ways as a Way."""
    values = {row.label: value_of(row, entry, measured) for row in entry.rows}
    rows = {row.label: row for row in entry.rows}
    found = []
    for row in entry.rows:
        base = rows.get(row.over or entry.over)
        way = Way(row, values[row.label], base, values[base.label] if base is not None else None)
        if base is not None:
            way.now = Comparison() if _apart(way) else ratio(way.over, way.value, measured.within)
            if not (row.unlike or base.unlike):
                way.then = row.recorded_ratio or _over(base.recorded_s, row.recorded_s)
        found.append(way)
    return found


def _apart(way):
    """Why the times of a row and of what its ratio refers to give no ratio, or None."""
    cases, kinds = (way.value.case, way.over.case), {way.value.kind, way.over.kind}
    if None in cases:
        return None
    if cases[0].record.kernel == cases[1].record.kernel and cases[0].problem != cases[1].problem:
        return "none: another problem"
    return "none: a launch is no result" if "launch" in kinds and len(kinds) > 1 else None


def _over(slow, fast):
    return slow / fast if slow and fast else None


def value_of(row, entry, measured):
    """The Value of a row: its fastest case's, or why there is none."""
    if row.implementation is None:
        return Value(reason="there is no counterpart")
    cases = measured.matching(row.implementation, row.kernel, row.size, row.dtype, row.options, row.threads, row.device)
    if not cases and not measured.gpus and _wants_gpu(row, entry):
        return Value(reason="there is no GPU here")
    return measured.fastest(cases, row.time or entry.time)


def _wants_gpu(row, entry):
    """Whether a row is about a GPU, or the part that measures its problem wants one."""
    parts = [
        part
        for part in entry.measure
        if row.kernel in (None, part.kernel) and (row.size is None or part.sizes is None or row.size in part.sizes)
    ]
    return row.device == "gpu" or (bool(parts) and all(part.needs == "gpu" for part in parts))


def _filled(columns, rows):
    """Columns and rows without the columns that say nothing in any row."""
    kept = [place for place, values in enumerate(zip(*rows, strict=True)) if {*values} - {"", EMPTY} or not place]
    return [columns[place] for place in kept], [[row[place] for place in kept] for row in rows]


def _kind_of_time(entry, found):
    kinds = {way.row.time or entry.time for way in found}
    return KINDS_OF_TIME[kinds.pop()] if len(kinds) == 1 else "time"


def _bar(way, entry):
    value, now = way.value, way.now
    color = style.color(value.case.record.backend) if value.case else style.OTHER_LIGHT
    if entry.show == "ratio":
        here = (now.ratio, now.low, now.high) if now else (None, None, None)
        then, show = way.then, style.ratio
    else:
        timing = value.case.timing(value.kind) if value.case and value.kind != "first_call" else None
        here = (value.seconds, timing and timing.ci_low_s, timing and timing.ci_high_s)
        then, show = way.row.recorded_s, style.seconds
    parts = [show(here[0])] if here[0] else [NOTHING] if way.row.implementation else []
    if then:
        parts.append(f"then {show(then)}")
    if entry.show == "time" and now and now.ratio and way.base is not way.row:
        parts[0] += f" ({style.ratio(now.ratio)})"
        if then and way.then:
            parts[-1] += f" ({style.ratio(way.then)})"
    return draw.Bar(way.row.label, color, "o", *here, then, ", ".join(parts))


def _cells(way, entry):
    record, now = way.value.case and way.value.case.record, way.now
    return [
        way.row.label,
        style.seconds(way.row.recorded_s),
        style.seconds(way.value.seconds) if record else way.value.reason,
        style.ratio(way.then),
        style.ratio(now.ratio if now else None),
        _interval(way),
        _with_transfers(way, entry),
        record.implementation if record else EMPTY,
        how(way.value),
    ]


def _with_transfers(way, entry):
    """The same from host arrays to host arrays, where that is another time: "0.77× (3.90×)"."""
    if way.value.case is None or way.value.kind not in RESIDENT:
        return ""
    return transferred(way.value.case, way.over.case if entry.show == "ratio" and way.over else None)


def _interval(way):
    """The interval of a row's ratio, or why it has none."""
    if way.base is None or way.base is way.row:
        return ""
    if apart := _apart(way):
        return apart
    if not way.now.ratio:
        return ""
    if way.now.low is None:
        processes = [len(value.case.record.sittings) for value in (way.value, way.over) if value.case]
        return "none: one process" if 1 in processes else "none: apart"
    return style.interval(way.now.low, way.now.high, style.ratio)


def _told(found):
    """What the numbers of a figure say of the recorded ones."""
    sentences = [f"Not compared: {way.row.label}: {way.row.unlike}." for way in found if way.row.unlike]
    found = [way for way in found if not way.row.unlike]
    both = [way for way in found if way.then and way.now and way.now.ratio and way.base is not way.row]
    if both:
        near = [way for way in both if 1 / NEAR <= way.now.ratio / way.then <= NEAR]
        far = max(both, key=lambda way: abs(math.log(way.now.ratio / way.then)))
        text = f"{len(near)} of {len(both)} recorded ratios come out here within a factor of {NEAR:g}"
        if far not in near:
            text += f"; farthest off is {_then_here(far)}"
        sentences.append(text + ".")
        turned = [way for way in both if (way.now.ratio - 1) * (way.then - 1) < 0 and way not in near]
        if turned:
            names = "; ".join(map(_then_here, turned))
            sentences.append(f"Does not hold: who is faster is the other way round for {names}.")
    timed = [way for way in found if way.row.recorded_s and way.value.seconds]
    comparable = len({way.value.case.record.kernel for way in timed}) == 1
    if comparable and len({(way.value.case.id, way.value.kind) for way in timed}) > 2:
        swapped = _swapped(timed)
        sentences.append(
            f"Does not hold: the order of the ways; {swapped[0]} was slower than {swapped[1]} and is faster here."
            if swapped
            else "Holds: fastest to slowest, the ways come in the order they came in then."
        )
    if len(timed) > 1:
        quotients = [way.row.recorded_s / way.value.seconds for way in timed]
        low, high = min(quotients), max(quotients)
        sentences.append(f"Then the same work took {style.ratio(low)} to {style.ratio(high)} as long as it takes here.")
    elif timed:
        (way,) = timed
        sentences.append(
            f"{way.row.label}: {style.seconds(way.row.recorded_s)} then, {style.seconds(way.value.seconds)} here."
        )
    return sentences


def _then_here(way):
    return f"{way.row.label}: {style.ratio(way.then)} then, {style.ratio(way.now.ratio)} here"


def _swapped(timed):
    """(now faster, now slower) of the two whose order has changed the most, or None."""
    pairs = [
        (b.row.recorded_s / a.row.recorded_s * a.value.seconds / b.value.seconds, b.row.label, a.row.label)
        for a in timed
        for b in timed
        if a.row.recorded_s < b.row.recorded_s and a.value.seconds > b.value.seconds
    ]
    return max(pairs)[1:] if pairs else None
