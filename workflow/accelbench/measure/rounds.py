"""Plan of a problem's rounds: the cases, references and peaks that are sampled in each round."""

import random
from typing import Any

WATCH_EVERY = 16  # Number of samples of cases for each sample of a reference
WATCH_SAMPLES = 20  # Samples of each reference, in all repetitions together
PEAK_ROUNDS = 8  # Rounds of a problem in which peaks are sampled


def planned(
    counts: dict[Any, int], generator: random.Random, *, watched: int
) -> list[tuple[int, list[Any], bool, bool]]:
    """Return the rounds of a problem, for {case: number of its rounds}.

    A round is (number from 1, cases, whether references are sampled, whether peaks are sampled).

    The rounds of a case are chosen at random. They include all rounds of cases with fewer rounds. References are
    sampled in `watched` evenly spaced rounds, or in more rounds if there are many samples of cases.
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
