"""What lectures say in words, and whether the numbers bear it out."""

import math

from accelbench.figures import style
from accelbench.lectures.measured import Value, ratio


def judge(claim, entry, measured, value_of):
    """A sentence: what the lecture says, whether it holds here, and the number that decides. `value_of(row)` is the
    Value of a row."""
    of, size = (), None
    if entry.rows:
        # Of a row that no implementation stands for, what was recorded.
        values = {r.label: Value(r.recorded_s) if r.implementation is None else value_of(r) for r in entry.rows}
        fast, slow = values[claim.faster], values[claim.than]
    else:
        of, size = _at(claim, measured)
        fast, slow = _values_at(of, size, entry, measured)
    quoted = claim.says[0].upper() + claim.says[1:] + ":" if claim.ours else f"“{claim.says}”"
    for name, value in ((claim.faster, fast), (claim.than, slow)):
        if value.seconds is None:
            return f"{quoted} cannot be judged here: {name}: {value.reason}."
    found = ratio(slow, fast, measured.within)
    least, most = _bounds(claim)
    within = [least <= value <= most for value in (found.ratio, found.low, found.high) if value is not None]
    outside = found.low is not None and (found.high < least or found.low > most)
    holds = "holds here" if all(within) else "does not hold here"
    if found.low is not None and not all(within) and not outside:
        holds = "is not settled here"
    sure = f"95 % interval {style.interval(found.low, found.high, style.ratio)}" if found.low else "without an interval"
    where = f" at size {style.size(size)}" if size is not None else ""
    settled = all(within) or outside
    turned = _told_turned(claim, all(within), of, size, entry, measured) if where and settled else ""
    return (
        f"{quoted} {holds}: {claim.faster} is {style.ratio(found.ratio)} as fast as {claim.than}{where} "
        f"({sure}{_counts_as_so(claim)}){turned}{f'; {claim.but}' if claim.but else ''}."
    )


def _bounds(claim):
    return claim.least, math.inf if claim.most is None else claim.most


def _counts_as_so(claim):
    """With which ratios a claim holds, where that is not plain."""
    if claim.most is None:
        return f"; it counts as so from {style.ratio(claim.least)} on" if claim.least != 1 else ""
    return f"; it counts as so from {style.ratio(claim.least)} to {style.ratio(claim.most)}"


def _at(claim, measured):
    """([cases of the faster, cases of the slower], the size a claim is looked at)."""
    of = [measured.matching(name, claim.kernel, dtype=claim.dtype) for name in (claim.faster, claim.than)]
    common = _common_sizes(of)
    size = {"smallest": common[:1], "largest": common[-1:]}.get(claim.size, [claim.size])
    return of, size[0] if size else None


def _common_sizes(of):
    return sorted(set.intersection(*({case.record.size for case in cases if case.ok} for cases in of)))


def _values_at(of, size, entry, measured):
    at_size = [[case for case in cases if size is None or case.record.size == size] for cases in of]
    return [measured.fastest(cases, entry.time) for cases in at_size]


def _told_turned(claim, held, of, size, entry, measured):
    """At which other sizes a claim that `held` at this one does not, or the other way round, by the ratios alone."""
    least, most = _bounds(claim)
    turned = []
    for other in _common_sizes(of):
        fast, slow = _values_at(of, other, entry, measured)
        found = ratio(slow, fast, measured.within).ratio
        if other != size and found is not None and (least <= found <= most) is not held:
            turned.append(style.size(other))
    return f", but {'not ' if held else ''}at {', '.join(turned)}" if turned else ""
