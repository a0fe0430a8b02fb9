"""Samples of a case, and ratios of two cases, paired by round within a repetition.

The samples of one round are taken within milliseconds, so a disturbance slows both cases, and their ratio hardly
changes. Ratios compare the lower quartiles of the shared rounds, since interruptions only make samples longer. If the
host's clock times a device, ratios compare medians. docs/evidence.md has the measurements behind this choice.
"""

import math
from collections.abc import Callable, Collection, Mapping
from statistics import fmean

from accelbench.statistics import lower_quartile, median, variance

Rounds = Mapping[int, float]  # {round: seconds per call}
Samples = Mapping[str, Rounds]  # {repetition: its Rounds}

LEAST_ROUNDS = 8  # Minimum number of rounds for a quartile; fewer rounds are compared by medians


class TwoSided(dict[int, float]):
    """Rounds timed between two notifications by the device, each of which may be late."""


class Chosen(dict[str, Rounds]):
    """Samples of the best of several, chosen by leaving each repetition out (see `choosing`).

    instead  {repetition: {another repetition: its samples if the first had not been measured}}, where these differ
    """

    def __init__(self, samples: Samples, instead: Mapping[str, Samples]):
        super().__init__(samples)
        self.instead = instead


def level(rounds: Rounds) -> float:
    """Return the logarithm of the time of a repetition."""
    seconds = list(rounds.values())
    middle = len(seconds) < LEAST_ROUNDS or isinstance(rounds, TwoSided)
    return math.log(median(seconds) if middle else lower_quartile(seconds))


def levels(samples: Samples) -> dict[str, float]:
    """Return {repetition: logarithm of its time}."""
    return {repetition: level(rounds) for repetition, rounds in samples.items() if rounds}


def log_ratio(first: Rounds, second: Rounds) -> float:
    """Return the logarithm of the ratio of the first time to the second, over shared rounds, or over all if none is
    shared. If either is TwoSided, medians are compared."""
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
    """Return {repetition: log_ratio} of the repetitions that both have."""
    return {
        repetition: log_ratio(rounds, second[repetition])
        for repetition, rounds in first.items()
        if rounds and second.get(repetition)
    }


def among(samples: Samples, repetitions: Collection[str]) -> Samples:
    """Return the Samples of some repetitions. Chosen samples stay Chosen."""
    selected = {name: rounds for name, rounds in samples.items() if name in repetitions}
    return Chosen(selected, samples.instead) if isinstance(samples, Chosen) else selected


def pseudo_values(measure: Callable[..., float], *several: Samples, mean=None) -> dict[str, float]:
    """Return {repetition: a measure of its Rounds} of the repetitions that several Samples share.

    Repetitions that choose for one another scatter less than their mean is uncertain. So if some Samples are Chosen,
    the values are the jackknife's pseudo-values (J. W. Tukey, Annals of Mathematical Statistics 29, 1958), unless
    these scatter less. A pseudo-value includes the changes that its repetition causes in the others.

    mean  function from {repetition: value} to their mean, which is the same for both kinds of values; the arithmetic
          mean by default
    """
    first, *others = several
    names = [name for name, rounds in first.items() if rounds and all(samples.get(name) for samples in others)]
    values = {name: measure(*(samples[name] for samples in several)) for name in names}
    if not any(isinstance(samples, Chosen) and samples.instead for samples in several):
        return values
    jackknifed = {name: value + _changes(measure, several, values, of=name) for name, value in values.items()}
    if len(jackknifed) < 2 or variance(jackknifed.values()) <= variance(values.values()):
        return values
    mean = mean or (lambda logs: fmean(logs.values()))
    shift = mean(values) - mean(jackknifed)
    return {name: value + shift for name, value in jackknifed.items()}


def _changes(measure, several, values, *, of):
    """Return the sum of the changes of other values that are due to one repetition."""
    instead = [samples.instead.get(of, {}) if isinstance(samples, Chosen) else {} for samples in several]
    changed = dict.fromkeys(other for others in instead for other in others if other in values)
    return sum(
        values[other]
        - measure(*(others.get(other, samples[other]) for others, samples in zip(instead, several, strict=True)))
        for other in changed
    )
