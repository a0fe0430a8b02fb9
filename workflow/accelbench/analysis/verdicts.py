"""Ratios with intervals and verdicts (FASTER, SLOWER, SAME, AMBIGUOUS), and ties and crossover sizes from verdicts."""

import math
from collections.abc import Hashable, Mapping
from typing import NamedTuple

FASTER, SLOWER, SAME, AMBIGUOUS = VERDICTS = ("FASTER", "SLOWER", "SAME", "AMBIGUOUS")
DIFFERENCE = 0.02  # Minimum relative difference of a ratio from 1 for the verdict FASTER or SLOWER
SAME_WITHIN = 0.02  # Maximum relative difference of a ratio from 1 for the verdict SAME
SAME_WITHIN_VIRTUAL = 0.05  # SAME_WITHIN on a virtual machine, whose times vary more
# Maximum factor by which more_repetitions plans to narrow an interval; 10 needs 100 times as many
MOST_NARROWER = 10.0


class Comparison(NamedTuple):
    """Speedup of the second of two cases over the first: ratio, 95 % intervals and verdict.

    low, high            confidence interval of the ratio
    next_low, next_high  prediction interval of the ratio, for another run on this machine with as many repetitions

    With one repetition, only the ratio is known, unless Scatter.first_look is true. Without repetitions, all fields are
    None.
    """

    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    verdict: str | None = None
    next_low: float | None = None
    next_high: float | None = None

    def around(self, ratio: float | None, same_within: float) -> "Comparison":
        """Return a copy with the ratio `ratio`, intervals of the same relative widths, and a new verdict."""
        if not ratio or self.low is None or self.high is None or self.next_low is None or self.next_high is None:
            return self._replace(ratio=ratio) if self.ratio and ratio else self
        half, half_next = math.log(self.high / self.low) / 2, math.log(self.next_high / self.next_low) / 2
        moved = judge(math.log(ratio), half, half_next=half_next, same_within=same_within)
        return moved if self.verdict else moved._replace(verdict=None)


ITSELF = Comparison(1.0, 1.0, 1.0, None, 1.0, 1.0)  # Comparison of a case with itself, without a verdict


def judge(centre: float, half: float, *, half_next: float, same_within: float = SAME_WITHIN) -> Comparison:
    """Return the Comparison of a log ratio, with its verdict.

    The verdict is FASTER or SLOWER if the whole confidence interval differs from 1 by more than DIFFERENCE. Otherwise,
    the verdict is SAME if the whole interval differs from 1 by at most `same_within`. All other verdicts are AMBIGUOUS.

    centre     log ratio: the natural logarithm of the ratio
    half       half width of the log ratio's confidence interval
    half_next  half width of the log ratio's prediction interval
    """
    low, high = math.exp(centre - half), math.exp(centre + half)
    same = low >= 1 / (1 + same_within) and high <= 1 + same_within
    beyond = FASTER if low > 1 + DIFFERENCE else SLOWER if high < 1 / (1 + DIFFERENCE) else None
    verdict = beyond or (SAME if same else AMBIGUOUS)
    return Comparison(math.exp(centre), low, high, verdict, math.exp(centre - half_next), math.exp(centre + half_next))


def more_repetitions(compared: Comparison, count: int, same_within: float) -> int:
    """Return the number of repetitions, in addition to `count`, that will probably decide an AMBIGUOUS Comparison.

    Return 0 for other verdicts. The width of an interval is assumed to be inversely proportional to the square root of
    the number of repetitions.
    """
    if compared.verdict != AMBIGUOUS or not compared.low or not compared.high:
        return 0
    half, centre = math.log(compared.high / compared.low) / 2, abs(math.log(compared.low * compared.high) / 2)
    room = max(centre - math.log1p(DIFFERENCE), math.log1p(same_within) - centre, half / MOST_NARROWER)
    return max(1, math.ceil(count * ((half / room) ** 2 - 1)))


def tied(verdicts: Mapping[Hashable, str | None]) -> tuple[tuple, tuple]:
    """Return (candidates that tie with the best, undetermined candidates), both with the fastest first.

    A candidate is undetermined if it is not significantly slower than the best, although a faster candidate is
    significantly slower. An undetermined candidate has a too wide interval for the verdict FASTER. It does not tie with
    the best. Candidates without a verdict are omitted.

    verdicts  {candidate: verdict on the speedup of the best over this candidate}, the fastest candidate first
    """
    tie, undetermined, beaten = [], [], False
    for key, verdict in verdicts.items():
        if verdict == FASTER:
            beaten = True
        elif verdict is not None:
            (undetermined if beaten else tie).append(key)
    return tuple(tie), tuple(undetermined)


class Overtaking(NamedTuple):
    """Sizes at which a case is faster than the baseline.

    crossover          "always", "never", "from" (from some size on) or "sometimes" (at some sizes, not at the largest)
    not_faster_size    largest size at which the case is not faster
    faster_from_size   smallest size from which on the case is faster at all sizes
    faster_sizes       all sizes at which the case is faster
    """

    crossover: str | None = None
    not_faster_size: int | None = None
    faster_from_size: int | None = None
    faster_sizes: tuple[int, ...] = ()


def overtaking(verdicts: Mapping[int, str | None]) -> Overtaking:
    """Return the Overtaking of a case from its verdicts against the baseline, {size: verdict}.

    Sizes without a verdict are ignored. A case is faster at a size only if the verdict is FASTER.
    """
    verdicts = {size: verdict for size, verdict in sorted(verdicts.items()) if verdict is not None}
    if not verdicts:
        return Overtaking()
    faster = tuple(size for size, verdict in verdicts.items() if verdict == FASTER)
    not_faster = max((size for size in verdicts if size not in faster), default=None)
    stays = min((size for size in faster if not_faster is None or size > not_faster), default=None)
    lasting = "always" if not_faster is None else "from" if stays is not None else "sometimes"
    return Overtaking(lasting if faster else "never", not_faster, stays, faster)
