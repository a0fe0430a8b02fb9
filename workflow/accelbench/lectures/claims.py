"""What lectures say in words, and whether the numbers bear it out."""

import math

from accelbench.figures import style
from accelbench.lectures.measured import Value, fastest


def judge(claim, entry, results, *, values):
    """A sentence: what the lecture says, whether it holds here, and the number that decides. `values` are those of the
    figure's rows, by their labels."""
    names, sides, size = (claim.faster, claim.than), [], None
    if entry.rows:
        rows = {row.label: row for row in entry.rows}
        fast, slow = (values[name] if rows[name].implementation else Value(rows[name].recorded_s) for name in names)
    else:
        sides = [results.matching(name, kernel=claim.kernel, dtype=claim.dtype) for name in names]
        common = _common_sizes(sides)
        size = next(iter({"smallest": common[:1], "largest": common[-1:]}.get(claim.size, [claim.size])), None)
        fast, slow = _fastest_at(size, sides, entry)
    quoted = claim.says[0].upper() + claim.says[1:] + ":" if claim.ours else f"“{claim.says}”"
    for name, value in zip(names, (fast, slow), strict=True):
        if value.seconds is None:
            return f"{quoted} cannot be judged here: {name}: {value.reason}."
    found = results.ratio(slow, fast)
    least, most = claim.least, math.inf if claim.most is None else claim.most
    held = found.low is not None and least <= found.low and found.high <= most
    refuted = found.low is not None and (found.high < least or found.low > most)
    verdict = "holds here" if held else "does not hold here" if refuted else "is not settled here"
    if (least, most) != (1, math.inf) and any(row.unlike for row in entry.rows if row.label in names):
        verdict = "is not compared"  # how many times as fast, of a row that stands for other work than the lecture's
    sure = f"95 % interval {style.interval(found.low, found.high, style.ratio)}" if found.low else "without an interval"
    if claim.most is not None:
        sure += f"; it counts as so from {style.ratio(least)} to {style.ratio(most)}"
    elif least != 1:
        sure += f"; it counts as so from {style.ratio(least)} on"
    words = results.text(style.ratio, *found[:3])
    fact = f"{claim.faster} is {words} as fast as {claim.than}"
    if words.startswith(style.UNCERTAIN):
        fact = f"how fast {claim.faster} is beside {claim.than} is {words}"
    others = [other for other in _common_sizes(sides) if other != size] if held or refuted else []
    turned = []
    for other in others:
        ratio = results.ratio(*reversed(_fastest_at(other, sides, entry))).ratio
        if ratio is not None and (least <= ratio <= most) is not held:
            turned.append(style.size(other))
    where = f" at size {style.size(size)}" if size is not None else ""
    but = f", but {'not ' if held else ''}at {', '.join(turned)}" if turned else ""
    return f"{quoted} {verdict}: {fact}{where} ({sure}){but}{f'; {claim.but}' if claim.but else ''}."


def _common_sizes(sides):
    """The sizes at which both sides were measured."""
    sizes = [{case.record.size for case in cases if case.ok} for cases in sides]
    return sorted(set.intersection(*sizes)) if sizes else []


def _fastest_at(size, sides, entry):
    """The Values of the faster and the slower at a size, at any where it is None."""
    return [fastest([case for case in cases if size in (None, case.record.size)], entry.time) for cases in sides]
