"""Plan of a problem's rounds. A round takes one sample of each of several cases, reference cases and peaks."""

import random
from typing import Any

# Number of samples of cases for each sample of a reference, unless WATCH_SAMPLES requires more samples of references
WATCH_EVERY = 16
# Minimum number of samples of each reference in all repetitions together, if there are enough rounds
WATCH_SAMPLES = 20
PEAK_ROUNDS = 8  # Maximum number of rounds of a problem in which peaks are sampled


def planned(
    counts: dict[Any, int], generator: random.Random, *, watched: int
) -> list[tuple[int, list[Any], bool, bool]]:
    """Return the rounds of a problem as a list of (number from 1, cases, has references, has peaks).

    counts   {case: number of rounds in which to sample the case}
    watched  minimum number of rounds in which references are sampled, if there are enough rounds

    The rounds of a case are chosen at random, and include all rounds of every case with fewer rounds. References are
    sampled in evenly spaced rounds. If there are many samples of cases, references are sampled in more than `watched`
    rounds.
    """
    count = max(counts.values(), default=0)
    places = list(range(count))
    generator.shuffle(places)
    ranks = {place: rank for rank, place in enumerate(places)}
    often = min(count, max(watched, sum(counts.values()) // WATCH_EVERY))
    references = {int((position + 0.5) * count / often) for position in range(often)}
    return [
        (
            place + 1,
            [case for case, rounds in counts.items() if ranks[place] < rounds],
            place in references,
            ranks[place] < PEAK_ROUNDS,
        )
        for place in range(count)
    ]
