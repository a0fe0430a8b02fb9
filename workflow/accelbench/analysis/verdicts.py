"""Ratios with intervals, verdicts on them, and who wins among several."""

import math
from collections.abc import Hashable, Mapping
from typing import NamedTuple

FASTER, SLOWER, SAME, AMBIGUOUS = VERDICTS = ("FASTER", "SLOWER", "SAME", "AMBIGUOUS")
DIFFERENCE = 0.02  # what lies within is called neither FASTER nor SLOWER, however sure
SAME_WITHIN = 0.02
SAME_WITHIN_VIRTUAL = 0.05  # a virtual machine's own unrest does not allow a finer SAME
MOST_NARROWER = 10.0  # times that repetitions can make an interval: a hundred times as many


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

    def around(self, ratio: float | None, same_within: float) -> "Comparison":
        """Return the same with intervals as wide around another ratio, and judge these."""
        if not ratio or self.low is None or self.high is None or self.next_low is None or self.next_high is None:
            return self._replace(ratio=ratio) if self.ratio and ratio else self
        half, half_next = math.log(self.high / self.low) / 2, math.log(self.next_high / self.next_low) / 2
        moved = judge(math.log(ratio), half, half_next=half_next, same_within=same_within)
        return moved if self.verdict else moved._replace(verdict=None)


ITSELF = Comparison(1.0, 1.0, 1.0, None, 1.0, 1.0)  # of a case with itself: no verdict


def judge(centre: float, half: float, *, half_next: float, same_within: float = SAME_WITHIN) -> Comparison:
    """The Comparison of a log ratio with the half widths of its two intervals. FASTER or SLOWER where all of the first
    lies beyond DIFFERENCE, SAME where it lies within `same_within`, else AMBIGUOUS."""
    low, high = math.exp(centre - half), math.exp(centre + half)
    same = low >= 1 / (1 + same_within) and high <= 1 + same_within
    beyond = FASTER if low > 1 + DIFFERENCE else SLOWER if high < 1 / (1 + DIFFERENCE) else None
    verdict = beyond or (SAME if same else AMBIGUOUS)
    return Comparison(math.exp(centre), low, high, verdict, math.exp(centre - half_next), math.exp(centre + half_next))


def more_repetitions(compared: Comparison, count: int, same_within: float) -> int:
    """How many repetitions more than `count` make a Comparison unambiguous if they scatter as these do, since an
    interval narrows with the square root of their number; 0 of one that is."""
    if compared.verdict != AMBIGUOUS or not compared.low or not compared.high:
        return 0
    half, centre = math.log(compared.high / compared.low) / 2, abs(math.log(compared.low * compared.high) / 2)
    room = max(centre - math.log1p(DIFFERENCE), math.log1p(same_within) - centre, half / MOST_NARROWER)
    return max(1, math.ceil(count * ((half / room) ** 2 - 1)))


def tied(verdicts: Mapping[Hashable, str | None]) -> tuple[tuple, tuple]:
    """Return (keys that tie with the best, undetermined keys), from {key: whether the best is FASTER}, fastest first.

    A case slower than a proven slower one cannot tie with the best, whatever its scatter.
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
    lasting = "always" if not_faster is None else "from" if stays is not None else "sometimes"
    return Overtaking(lasting if faster else "never", not_faster, stays, faster)
