"""Times of one case, and how two of them are divided: round by round within a repetition.

What is sampled in one round is sampled within milliseconds: whatever slows the machine slows both, and their ratio
hardly notices. Of the rounds that two cases have in common, lower quartiles are compared: interruptions only ever make
a sample longer. Not so where the host's clock times a device: there medians are. docs/method.md has the figures.
"""

import math
from collections.abc import Mapping

from accelbench.statistics import lower_quartile, median

Rounds = Mapping[int, float]  # {round: seconds per call}
Samples = Mapping[str, Rounds]  # {repetition: what was sampled in it}

LEAST_ROUNDS = 8  # with fewer a quartile is little more than a minimum: medians then


class TwoSided(dict[int, float]):
    """Rounds timed from the news that one call is done to the news that others are: each may be late."""


def level(rounds: Rounds) -> float:
    """The logarithm of the time that a repetition's samples stand for."""
    seconds = list(rounds.values())
    middle = len(seconds) < LEAST_ROUNDS or isinstance(rounds, TwoSided)
    return math.log(median(seconds) if middle else lower_quartile(seconds))


def levels(samples: Samples) -> dict[str, float]:
    """{repetition: logarithm of its time}."""
    return {repetition: level(rounds) for repetition, rounds in samples.items() if rounds}


def log_ratio(first: Rounds, second: Rounds) -> float:
    """The logarithm of how many times longer the first takes than the second, over the rounds that they share; over all
    where they share none. Where either may be too short, both stand for their medians."""
    common = first.keys() & second.keys()
    made = TwoSided if isinstance(first, TwoSided) or isinstance(second, TwoSided) else dict
    first, second = (made((number, rounds[number]) for number in common or rounds) for rounds in (first, second))
    return level(first) - level(second)


def log_ratios(first: Samples, second: Samples) -> dict[str, float]:
    """{repetition: log_ratio} of the repetitions that both took part in."""
    return {
        repetition: log_ratio(rounds, second[repetition])
        for repetition, rounds in first.items()
        if rounds and second.get(repetition)
    }
