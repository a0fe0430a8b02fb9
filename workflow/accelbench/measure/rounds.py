"""Plan of the rounds of a problem: their cases, and those with references and peaks."""

import random
from dataclasses import dataclass
from typing import Any

WATCH_EVERY = 16  # Samples of cases for each sample of the references
WATCH_SAMPLES = 20  # Samples of each reference, in all repetitions together
PEAK_ROUNDS = 8  # Rounds of a problem in which peaks are sampled


@dataclass(frozen=True)
class Round:
    """One round: its number, from 1, its cases, and whether references and peaks are sampled in it."""

    number: int
    cases: list[Any]
    is_watched: bool
    has_peaks: bool


def planned(wanted: dict[Any, int], generator: random.Random, *, watched: int) -> list[Round]:
    """Return the rounds of a problem, for {case: number of its rounds}.

    The rounds of a case are random ones that include those of every case with fewer rounds. References take part in
    `watched` rounds, or in more if there are many cases, at even distances.
    """
    count = max(wanted.values(), default=0)
    places = list(range(count))
    generator.shuffle(places)
    ranks = {place: rank for rank, place in enumerate(places)}
    often = min(count, max(watched, sum(wanted.values()) // WATCH_EVERY))
    references = {int((each + 0.5) * count / often) for each in range(often)}
    return [
        Round(
            place + 1,
            [case for case, rounds in wanted.items() if ranks[place] < rounds],
            is_watched=place in references,
            has_peaks=ranks[place] < PEAK_ROUNDS,
        )
        for place in range(count)
    ]
