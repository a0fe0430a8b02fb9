"""Times of one case, and how two of them are divided: round by round within a repetition.

What is sampled in one round is sampled within milliseconds: whatever slows the machine slows both, and their ratio
hardly notices. Of the rounds that two cases have in common, lower quartiles are compared: interruptions only ever make
a sample longer. Not so where the host's clock times a device: there medians are. docs/method.md has the figures.
"""

import math
from collections.abc import Callable, Collection, Mapping
from statistics import fmean

from accelbench.statistics import lower_quartile, median, variance

Rounds = Mapping[int, float]  # {round: seconds per call}
Samples = Mapping[str, Rounds]  # {repetition: what was sampled in it}

LEAST_ROUNDS = 8  # with fewer a quartile is little more than a minimum: medians then


class TwoSided(dict[int, float]):
    """Rounds timed from the news that one call is done to the news that others are: each may be late."""


class Chosen(dict[str, Rounds]):
    """Samples of the best of several, chosen by leaving each repetition out (see `choosing`).

    instead  {repetition: {another: what would be reported of that, had the first not been measured}} where it is else
    """

    def __init__(self, samples: Samples, instead: Mapping[str, Samples]):
        super().__init__(samples)
        self.instead = instead


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
    first, second = (
        rounds
        if len(common) == len(rounds) and type(rounds) is made
        else made((n, rounds[n]) for n in common or rounds)
        for rounds in (first, second)
    )
    return level(first) - level(second)


def log_ratios(first: Samples, second: Samples) -> dict[str, float]:
    """{repetition: log_ratio} of the repetitions that both took part in."""
    return {
        repetition: log_ratio(rounds, second[repetition])
        for repetition, rounds in first.items()
        if rounds and second.get(repetition)
    }


def among(samples: Samples, repetitions: Collection[str]) -> Samples:
    """The Samples of some repetitions; what is Chosen stays so."""
    kept = {name: rounds for name, rounds in samples.items() if name in repetitions}
    return Chosen(kept, samples.instead) if isinstance(samples, Chosen) else kept


def pseudo_values(measure: Callable[..., float], *several: Samples, mean=None) -> dict[str, float]:
    """{repetition: a measure of its Rounds} of the repetitions that several Samples share; where some are Chosen and it
    scatters more, all that each says: with how much it changes what others say that it helps to choose.

    These are the jackknife's pseudo-values (J. W. Tukey, Annals of Mathematical Statistics 29, 1958): what
    repetitions choose for one another scatters less than it is uncertain.

    mean  of {repetition: value}, which is the same of either; the plain one where None
    """
    first, *others = several
    names = [name for name, rounds in first.items() if rounds and all(own.get(name) for own in others)]
    values = {name: measure(*(own[name] for own in several)) for name in names}
    if not any(isinstance(own, Chosen) and own.instead for own in several):
        return values
    said = {name: value + _changes(measure, several, values, of=name) for name, value in values.items()}
    if len(said) < 2 or variance(said.values()) <= variance(values.values()):
        return values
    mean = mean or (lambda logs: fmean(logs.values()))
    shift = mean(values) - mean(said)
    return {name: value + shift for name, value in said.items()}


def _changes(measure, several, values, *, of):
    """How much higher the values of other repetitions are together for one's having been measured."""
    instead = [own.instead.get(of, {}) if isinstance(own, Chosen) else {} for own in several]
    changed = dict.fromkeys(other for own in instead for other in own if other in values)
    return sum(
        values[other]
        - measure(*(own.get(other, samples[other]) for own, samples in zip(instead, several, strict=True)))
        for other in changed
    )
