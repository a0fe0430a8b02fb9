"""Samples of a case, and ratios of two cases, paired by round within a repetition.

The samples of a round are taken shortly after one another. So a disturbance slows both cases of a ratio, and the
ratio hardly changes. Ratios compare the lower quartiles of the shared rounds, since interruptions only make samples
longer. If the device's work cannot be timed without the launch (unseen), errors have both signs, so ratios compare
medians. docs/method.md gives the reasons.
"""

import math
from collections.abc import Callable, Collection, Mapping
from statistics import fmean

from accelbench.statistics import lower_quartile, median, variance

Rounds = Mapping[int, float]  # {round: seconds per call}
Samples = Mapping[str, Rounds]  # {repetition: its Rounds}

LEAST_ROUNDS = 8  # Minimum number of rounds for a lower quartile; the median is used if there are fewer rounds


class TwoSided(dict[int, float]):
    """Rounds timed from one notification by the device to the next.

    Either notification may be late, so a time may be too short or too long.
    """


class Chosen(dict[str, Rounds]):
    """Samples of the best of several candidates, chosen by leave-one-repetition-out (see `choosing`).

    instead  {left-out repetition: {repetition: samples chosen for this repetition without the left-out repetition}};
             contains only samples that differ from the chosen samples
    """

    def __init__(self, samples: Samples, instead: Mapping[str, Samples]):
        super().__init__(samples)
        self.instead = instead


def level(rounds: Rounds) -> float:
    """Return the logarithm of a repetition's time, which is the lower quartile of its rounds.

    The median replaces the lower quartile if the rounds are TwoSided or fewer than LEAST_ROUNDS.
    """
    seconds = list(rounds.values())
    middle = len(seconds) < LEAST_ROUNDS or isinstance(rounds, TwoSided)
    return math.log(median(seconds) if middle else lower_quartile(seconds))


def levels(samples: Samples) -> dict[str, float]:
    """Return {repetition: logarithm of its time}."""
    return {repetition: level(rounds) for repetition, rounds in samples.items() if rounds}


def log_ratio(first: Rounds, second: Rounds) -> float:
    """Return the logarithm of the time of `first` divided by the time of `second`; see `level`.

    Both times use the rounds that both arguments have. If the arguments share no round, both times use all rounds. If
    an argument is TwoSided, both times are medians.
    """
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
    """Return {repetition: log_ratio} of the repetitions that both Samples have."""
    return {
        repetition: log_ratio(rounds, second[repetition])
        for repetition, rounds in first.items()
        if rounds and second.get(repetition)
    }


def among(samples: Samples, repetitions: Collection[str]) -> Samples:
    """Return the Samples of the given repetitions. If `samples` is Chosen, so is the result."""
    selected = {name: rounds for name, rounds in samples.items() if name in repetitions}
    return Chosen(selected, samples.instead) if isinstance(samples, Chosen) else selected


def pseudo_values(measure: Callable[..., float], *several: Samples, mean=None) -> dict[str, float]:
    """Return {repetition: value} of the repetitions that all of `several` have.

    The value of a repetition is `measure` called with its Rounds, one argument for each of `several`. In Chosen
    Samples, the other repetitions choose a repetition's candidate. The variance of the values then underestimates the
    uncertainty of their mean. For Chosen Samples, the function therefore returns jackknife pseudo-values (J. W. Tukey,
    Annals of Mathematical Statistics 29, 1958), unless they have a lower variance than the values. A repetition's
    pseudo-value includes the changes that this repetition causes in the values of the other repetitions.

    mean  function from {repetition: value} to the mean value, by default the arithmetic mean. Pseudo-values are shifted
          so that they have the same mean as the values.
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
    """Return the sum of the changes that the repetition `of` causes in the values of the other repetitions."""
    instead = [samples.instead.get(of, {}) if isinstance(samples, Chosen) else {} for samples in several]
    changed = dict.fromkeys(other for others in instead for other in others if other in values)
    return sum(
        values[other]
        - measure(*(others.get(other, samples[other]) for others, samples in zip(instead, several, strict=True)))
        for other in changed
    )
