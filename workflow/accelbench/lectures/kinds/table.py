"""Figures of the kind `table`: a row each, with what was recorded beside what was measured."""

import fnmatch
import math
from dataclasses import dataclass

from accelbench.figures import style
from accelbench.figures.chart import Table
from accelbench.figures.then_and_now import Bar, ThenAndNow
from accelbench.lectures.value import NOTHING, Value, fastest
from accelbench.lectures.view import EMPTY, KINDS_OF_TIME, RESIDENT, TODAY, View, by_reason, how, nothing, transferred

NEAR = 2.0  # ratios within this factor of each other are called about the same
COLUMNS = ("", "recorded", "here", "recorded ratio", "ratio here", "95 % interval", "with transfers", "as", "how")


def view(entry, results):
    """Return the View of rows of times or ratios, each the fastest of the cases that fit it, beside what was printed.

    A lecture's figure shows all rows, a figure of today's ways those that have a number.
    """
    values = {row.label: _value(row, entry, results) for row in entry.rows}
    rows = {row.label: row for row in entry.rows}
    lines = [_compare(row, rows.get(row.over or entry.over), values, results=results) for row in entry.rows]
    missing = by_reason(
        (line.row.label, line.value.reason)
        for line in lines
        if line.row.implementation is not None and line.value.seconds is None
    )
    in_ratios = entry.show == "ratio"
    if entry.lecture == TODAY:
        lines = [line for line in lines if line.value.seconds or line.row.recorded_s]
    if in_ratios:
        lines = [line for line in lines if line.base is not None and line.base is not line.row]
    bars = [_bar(line, in_ratios) for line in lines]
    if not any(bar.now or bar.then for bar in bars):
        return nothing("; ".join(dict.fromkeys(line.value.reason for line in lines)), values=values)
    axis = ("x", "times as fast") if in_ratios else ("s", _kind_of_time(entry, lines))
    return View(
        ThenAndNow(bars, *axis),
        f"{entry.title}. " + " ".join(f"{bar.label}: {bar.text}." for bar in bars),
        _filled(COLUMNS, [_cells(line, in_ratios) for line in lines]),
        sentences=_tell(lines),
        missing=missing,
        complete=any(bar.now for bar in bars),
        values=values,
    )


def _value(row, entry, results):
    """The Value of a row: its fastest case's, or why there is none."""
    if row.implementation is None:
        return Value(reason="there is no counterpart")
    cases = results.matching(row.implementation, kernel=row.kernel, size=row.size, dtype=row.dtype, options=row.options)
    cases = results.running(cases, row.threads, row.device)
    if not cases and not results.gpus and _wants_gpu(row, entry):
        return Value(reason="there is no GPU here")
    if not cases and (names := fnmatch.filter(results.left_out, row.implementation)):
        return Value(reason=results.left_out[names[0]])
    return fastest(cases, row.time or entry.time)


def _wants_gpu(row, entry):
    """Whether a row is about a GPU, or the part that measures its problem wants one."""
    parts = [
        part
        for part in entry.measure
        if row.kernel in (None, part.kernel) and (row.size is None or part.sizes is None or row.size in part.sizes)
    ]
    return row.device == "gpu" or (bool(parts) and all(part.needs == "gpu" for part in parts))


@dataclass(frozen=True)
class ShownRow:
    """A row as it is shown: its Value; the row its ratio refers to, and that one's Value; both ratios.

    now    the Comparison of today's times, or None
    apart  why they give no ratio, or None
    """

    row: object
    value: Value
    base: object = None
    over: Value | None = None
    now: object = None
    then: float | None = None
    apart: str | None = None


def _compare(row, base, values, *, results):
    value = values[row.label]
    if base is None:
        return ShownRow(row, value)
    over = values[base.label]
    apart, then = _apart(value, over), row.recorded_ratio
    if then is None and base.recorded_s and row.recorded_s:
        then = base.recorded_s / row.recorded_s
    now, then = None if apart else results.ratio(over, value), None if row.unlike or base.unlike else then
    return ShownRow(row, value, base, over, now, then, apart)


def _apart(value, over):
    """Why the times of a row and of what its ratio refers to give no ratio, or None."""
    cases, kinds = (value.case, over.case), {value.kind, over.kind}
    if None in cases:
        return None
    if cases[0].record.kernel == cases[1].record.kernel and cases[0].problem != cases[1].problem:
        return "none: another problem"
    return "none: a launch is no result" if "launch" in kinds and len(kinds) > 1 else None


def _filled(columns, rows):
    """The Table without the columns that say nothing in any row."""
    kept = [place for place, values in enumerate(zip(*rows, strict=True)) if {*values} - {"", EMPTY} or not place]
    return Table([columns[place] for place in kept], [[row[place] for place in kept] for row in rows])


def _kind_of_time(entry, lines):
    kinds = {line.row.time or entry.time for line in lines}
    return KINDS_OF_TIME[kinds.pop()] if len(kinds) == 1 else "time"


def _bar(line, in_ratios):
    row, value, now = line.row, line.value, line.now
    if in_ratios:
        here = (now.ratio, now.low, now.high) if now else (None, None, None)
        then, show = line.then, style.ratio
    else:
        here = (value.seconds, *value.interval)
        then, show = row.recorded_s, style.seconds
    parts = [show(here[0])] if here[0] else [NOTHING] if row.implementation else []
    if then:
        parts.append(f"then {show(then)}")
    if not in_ratios and now and now.ratio and line.base is not row:
        parts[0] += f" ({style.ratio(now.ratio)})"
        if then and line.then:
            parts[-1] += f" ({style.ratio(line.then)})"
    color = style.color(value.case.record.backend) if value.case else style.OTHER_LIGHT
    return Bar(row.label, color, *here, then, ", ".join(parts))


def _cells(line, in_ratios):
    record = line.value.case and line.value.case.record
    return [
        line.row.label,
        style.seconds(line.row.recorded_s),
        style.seconds(line.value.seconds) if record else line.value.reason,
        style.ratio(line.then),
        style.ratio(line.now.ratio if line.now else None),
        _interval(line),
        _with_transfers(line, in_ratios),
        record.implementation if record else EMPTY,
        how(line.value),
    ]


def _with_transfers(line, in_ratios):
    """The same from host arrays to host arrays, where that is another time: "0.77× (3.90×)"."""
    if line.value.case is None or line.value.kind not in RESIDENT:
        return ""
    return transferred(line.value.case, line.over.case if in_ratios and line.over else None)


def _interval(line):
    """The interval of a row's ratio, or why it has none."""
    if line.base is None or line.base is line.row:
        return ""
    if line.apart or not line.now.ratio:
        return line.apart or ""
    if line.now.low is None:
        processes = [len(value.case.record.repetitions) for value in (line.value, line.over) if value.case]
        return "none: one process" if 1 in processes else "none: apart"
    return style.interval(line.now.low, line.now.high, style.ratio)


def _tell(lines):
    """What the numbers of a figure say of the recorded ones."""
    alike = [line for line in lines if not line.row.unlike]
    return [
        *(f"Not compared: {line.row.label}: {line.row.unlike}." for line in lines if line.row.unlike),
        *_tell_ratios(
            [line for line in alike if line.then and line.now and line.now.ratio and line.base is not line.row]
        ),
        *_tell_times([line for line in alike if line.row.recorded_s and line.value.seconds]),
    ]


def _tell_ratios(lines):
    """How many recorded ratios come out here, and who overtook whom."""
    if not lines:
        return
    near = [line for line in lines if 1 / NEAR <= line.now.ratio / line.then <= NEAR]
    far = max(lines, key=lambda line: abs(math.log(line.now.ratio / line.then)))
    text = f"{len(near)} of {len(lines)} recorded ratios come out here within a factor of {NEAR:g}"
    yield f"{text}." if far in near else f"{text}; farthest off is {_then_here(far)}."
    turned = [line for line in lines if (line.now.ratio - 1) * (line.then - 1) < 0 and line not in near]
    if turned:
        names = "; ".join(map(_then_here, turned))
        yield f"Does not hold: who is faster is the other way round for {names}."


def _tell_times(lines):
    """Whether the order is the same, and how much longer the same work took then."""
    comparable = len({line.value.case.record.kernel for line in lines}) == 1
    if comparable and len({(line.value.case.id, line.value.kind) for line in lines}) > 2:
        swapped = _swapped(lines)
        yield (
            f"Does not hold: the order; {swapped[0]} was slower than {swapped[1]} and is faster here."
            if swapped
            else "Holds: fastest to slowest, they come in the order they came in then."
        )
    if len(lines) > 1:
        quotients = [line.row.recorded_s / line.value.seconds for line in lines]
        low, high = min(quotients), max(quotients)
        yield f"Then the same work took {style.ratio(low)} to {style.ratio(high)} as long as it takes here."
    elif lines:
        (line,) = lines
        here = style.seconds(line.value.seconds)
        yield f"{line.row.label}: {style.seconds(line.row.recorded_s)} then, {here} here."


def _then_here(line):
    return f"{line.row.label}: {style.ratio(line.then)} then, {style.ratio(line.now.ratio)} here"


def _swapped(lines):
    """(now faster, now slower) of the two whose order has changed the most, or None."""
    pairs = [
        (b.row.recorded_s / a.row.recorded_s * a.value.seconds / b.value.seconds, b.row.label, a.row.label)
        for a in lines
        for b in lines
        if a.row.recorded_s < b.row.recorded_s and a.value.seconds > b.value.seconds
    ]
    return max(pairs)[1:] if pairs else None
