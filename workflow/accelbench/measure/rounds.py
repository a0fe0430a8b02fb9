"""Which cases take part in which round of a problem, and in which rounds the machine itself is sampled."""

import random
from dataclasses import dataclass
from typing import Any

WATCH_EVERY = 16  # samples of cases, for which references are sampled once
WATCH_SAMPLES = 20  # of each reference, in all repetitions together
PEAK_ROUNDS = 8  # of a problem's, in which peaks are sampled


@dataclass(frozen=True)
class Round:
    """One round: its number, from 1, the cases that are sampled in it, and whether references and peaks are, too."""

    number: int
    cases: list[Any]
    is_watched: bool
    has_peaks: bool


def planned(wanted: dict[Any, int], generator: random.Random, *, watched: int) -> list[Round]:
    """The rounds of a problem, for {case: in how many of them it wants to be sampled}.

    The rounds of a case are random ones, among them all those of every case that wants fewer. References take part in
    so many rounds that `watched` asks for, or in more where there are many cases, at even distances.
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
