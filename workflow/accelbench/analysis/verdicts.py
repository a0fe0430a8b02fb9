"""Ratios with intervals, verdicts on them, and who wins among several."""

import math
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

FASTER, SLOWER, SAME, AMBIGUOUS = VERDICTS = ("FASTER", "SLOWER", "SAME", "AMBIGUOUS")
DIFFERENCE = 0.02  # what lies within is called neither FASTER nor SLOWER, however sure
SAME_WITHIN = 0.02
SAME_WITHIN_VIRTUAL = 0.05  # a virtual machine's own unrest does not allow a finer SAME


class Comparison(NamedTuple):
    """How many times faster the second of two cases is: ratio, 95 % interval, and the verdict.

    low, high            what these repetitions leave open
    next_low, next_high  where the next run of this machine, as long as this one, will put the ratio

    From one shared repetition there is a ratio and no more; from none, nothing.
    """

    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    verdict: str | None = None
    next_low: float | None = None
    next_high: float | None = None


ITSELF = Comparison(1.0, 1.0, 1.0, None, 1.0, 1.0)  # of a case with itself: no verdict


def judge(centre: float, half: float, *, half_next: float, same_within: float = SAME_WITHIN) -> Comparison:
    """The Comparison of a log ratio with the half widths of its two intervals. FASTER or SLOWER where all of the first
    lies beyond DIFFERENCE, SAME where it lies within `same_within`, else AMBIGUOUS."""
    low, high = math.exp(centre - half), math.exp(centre + half)
    if low > 1 + DIFFERENCE:
        verdict = FASTER
    elif high < 1 / (1 + DIFFERENCE):
        verdict = SLOWER
    elif low >= 1 / (1 + same_within) and high <= 1 + same_within:
        verdict = SAME
    else:
        verdict = AMBIGUOUS
    return Comparison(math.exp(centre), low, high, verdict, math.exp(centre - half_next), math.exp(centre + half_next))


class Winner(NamedTuple):
    """The fastest of several cases, by key.

    decision      "winner"; "tie"; "one_process": nothing was measured in two repetitions; "no_result": nothing at all
    fastest       the one with the lowest time, whatever that is worth
    tie           the fastest and all it cannot be told from, fastest first; empty without a verdict
    undetermined  those it cannot be told from only because they scatter: they are slower than one proven slower
    incomparable  those that no interval connects with the fastest
    """

    decision: str
    fastest: Any = None
    tie: tuple = ()
    undetermined: tuple = ()
    incomparable: tuple = ()


def find_winner(times: Mapping[Hashable, Mapping], ranked: Callable, verdict: Callable) -> Winner:
    """The Winner among {key: {repetition: ...}}.

    ranked   a function from such a mapping to its keys, fastest first, without those that cannot be ranked
    verdict  a function from two keys to the verdict on the second being faster than the first
    """
    repeated = {key: own for key, own in times.items() if len(own) >= 2}
    order = ranked(repeated)
    if not order:
        order = ranked(times)
        return Winner("one_process", order[0]) if order else Winner("no_result")
    fastest = order[0]
    found = {key: verdict(key, fastest) for key in order[1:]}
    tie, undetermined = tied(found)
    incomparable = [key for key in times if key not in order] + [key for key in found if found[key] is None]
    return Winner("tie" if tie else "winner", fastest, (fastest, *tie), undetermined, tuple(incomparable))


def tied(verdicts: Mapping[Hashable, str | None]) -> tuple[tuple, tuple]:
    """(those that tie with the best, those that are undetermined), from {key: whether the best is FASTER}, fastest
    first.

    What is slower than something proven slower is no match for the best, however little its own scatter lets one tell.
    """
    tie, undetermined, beaten = [], [], False
    for key, verdict in verdicts.items():
        if verdict == FASTER:
            beaten = True
        elif verdict is not None:
            (undetermined if beaten else tie).append(key)
    return tuple(tie), tuple(undetermined)


class Overtaking(NamedTuple):
    """From which size on a case is faster than the baseline.

    crossover          "always"; "never"; "from": from some size on; "sometimes": at some sizes but not the largest
    not_faster_size    the largest size at which it is not faster
    faster_from_size   the smallest size from which it stays faster
    faster_sizes       every size at which it is
    """

    crossover: str | None = None
    not_faster_size: int | None = None
    faster_from_size: int | None = None
    faster_sizes: tuple[int, ...] = ()


def overtaking(verdicts: Mapping[int, str | None]) -> Overtaking:
    """Overtaking from {size: verdict}; sizes without a verdict say nothing. Only FASTER counts as faster."""
    verdicts = {size: verdict for size, verdict in sorted(verdicts.items()) if verdict is not None}
    if not verdicts:
        return Overtaking()
    faster = tuple(size for size, verdict in verdicts.items() if verdict == FASTER)
    not_faster = max((size for size in verdicts if size not in faster), default=None)
    stays = min((size for size in faster if not_faster is None or size > not_faster), default=None)
    if not faster:
        crossover = "never"
    elif stays is None:
        crossover = "sometimes"
    else:
        crossover = "always" if not_faster is None else "from"
    return Overtaking(crossover, not_faster, stays, faster)
