"""What lectures say in words, and whether the numbers bear it out."""

import math

from accelbench.figures import style
from accelbench.lectures.value import Value, fastest


def judge(claim, entry, results, *, values):
    """A sentence: what the lecture says, whether it holds here, and the number that decides. `values` are those of the
    figure's rows, by their labels."""
    sides = None if entry.rows else [_cases(name, claim, results) for name in (claim.faster, claim.than)]
    size = None if entry.rows else _size(claim, sides)
    fast, slow = _rows(claim, entry, values) if entry.rows else _fastest_at(size, sides, entry)
    quoted = claim.says[0].upper() + claim.says[1:] + ":" if claim.ours else f"“{claim.says}”"
    for name, value in ((claim.faster, fast), (claim.than, slow)):
        if value.seconds is None:
            return f"{quoted} cannot be judged here: {name}: {value.reason}."
    found = results.ratio(slow, fast)
    least, most = _bounds(claim)
    held = found.low is not None and least <= found.low and found.high <= most
    refuted = found.low is not None and (found.high < least or found.low > most)
    verdict = "holds here" if held else "does not hold here" if refuted else "is not settled here"
    if _is_of_something_else(claim, entry):
        verdict = "is not compared"
    sure = f"95 % interval {style.interval(found.low, found.high, style.ratio)}" if found.low else "without an interval"
    where = turned = ""
    if size is not None:
        where = f" at size {style.size(size)}"
        sizes = (
            _turned_at(claim, held=held, size=size, sides=sides, entry=entry, results=results)
            if held or refuted
            else []
        )
        turned = f", but {'not ' if held else ''}at {', '.join(map(style.size, sizes))}" if sizes else ""
    return (
        f"{quoted} {verdict}: {claim.faster} is {style.ratio(found.ratio)} as fast as {claim.than}{where} "
        f"({sure}{_counts_as_so(claim)}){turned}{f'; {claim.but}' if claim.but else ''}."
    )


def _is_of_something_else(claim, entry):
    """Whether it says how many times as fast, of a row that stands for other work than the lecture's."""
    says_how_much = (claim.least, claim.most) != (1, None)
    return says_how_much and any(row.unlike for row in entry.rows if row.label in (claim.faster, claim.than))


def _bounds(claim):
    return claim.least, math.inf if claim.most is None else claim.most


def _counts_as_so(claim):
    """With which ratios a claim holds, where that is not plain."""
    if claim.most is None:
        return f"; it counts as so from {style.ratio(claim.least)} on" if claim.least != 1 else ""
    return f"; it counts as so from {style.ratio(claim.least)} to {style.ratio(claim.most)}"


def _rows(claim, entry, values):
    """The Values of the rows a claim is about; what was recorded, of a row that no implementation stands for."""
    rows = {row.label: row for row in entry.rows}
    for row in (rows[claim.faster], rows[claim.than]):
        yield Value(row.recorded_s) if row.implementation is None else values[row.label]


def _cases(name, claim, results):
    return results.matching(name, kernel=claim.kernel, dtype=claim.dtype)


def _size(claim, sides):
    """The size at which a claim is looked at, or None where there is none that both sides were measured at."""
    common = _common_sizes(sides)
    size = {"smallest": common[:1], "largest": common[-1:]}.get(claim.size, [claim.size])
    return size[0] if size else None


def _common_sizes(sides):
    return sorted(set.intersection(*({case.record.size for case in cases if case.ok} for cases in sides)))


def _fastest_at(size, sides, entry):
    """The Values of the faster and the slower at a size, at any where it is None."""
    return [fastest([case for case in cases if size in (None, case.record.size)], entry.time) for cases in sides]


def _turned_at(claim, *, held, size, sides, entry, results):
    """The other sizes at which a claim that `held` here does not, or the other way round, by the ratios alone."""
    least, most = _bounds(claim)
    turned = []
    for other in _common_sizes(sides):
        fast, slow = _fastest_at(other, sides, entry)
        ratio = results.ratio(slow, fast).ratio
        if other != size and ratio is not None and (least <= ratio <= most) is not held:
            turned.append(other)
    return turned
