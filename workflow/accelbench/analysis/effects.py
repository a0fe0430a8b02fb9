"""Times of what was sampled in the same rounds, by one model of all of it: log time = case + round.

What slows the machine for a while slows all that is sampled meanwhile. An effect of each round, which all share, takes
that away. So the quotient of two times is the ratio of two cases that were paired by round, also of one that left after
two repetitions, and order by time is order by ratio. Medians, alternated between cases and rounds, are a median polish
(J. W. Tukey, Exploratory Data Analysis, 1977).
"""

import warnings
from collections.abc import Hashable, Mapping

import numpy as np

from accelbench.analysis.samples import Samples

PASSES = 4  # over cases and rounds; later ones change no digit that is shown


def times(candidates: Mapping[Hashable, Samples]) -> dict[Hashable, float]:
    """{key: seconds} of {key: Samples}: the geometric mean over repetitions of medians without the effects of rounds.

    A round that one key alone has says nothing of its effect. Effects have no mean, so that a key alone has the time
    that its samples stand for.
    """
    names = sorted({name for samples in candidates.values() for name in samples})
    numbers = sorted({number for samples in candidates.values() for rounds in samples.values() for number in rounds})
    logs = np.full((len(candidates), len(names), len(numbers)), np.nan)
    for own, samples in zip(logs, candidates.values(), strict=True):
        for name, rounds in samples.items():
            own[names.index(name), np.searchsorted(numbers, list(rounds))] = np.log(list(rounds.values()))
    shared, effects = np.isfinite(logs).sum(axis=0) > 1, np.zeros(logs.shape[1:])
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # of repetitions that a case lacks
        for _ in range(PASSES):
            levels = np.nanmean(np.nanmedian(logs - effects, axis=2), axis=1)
            effects = np.where(shared, np.nanmedian(logs - levels[:, None, None], axis=0), 0.0)
            effects -= np.nanmean(np.nanmedian(np.where(shared, effects, np.nan), axis=1)) if shared.any() else 0.0
            effects[~shared] = 0.0
        levels = np.nanmean(np.nanmedian(logs - effects, axis=2), axis=1)
    return dict(zip(candidates, np.exp(levels).tolist(), strict=True))
