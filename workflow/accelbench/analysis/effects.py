"""Model for the times of cases that were sampled in the same rounds: log time = case effect + round effect.

The effect of a round is a disturbance that slows all cases of the round. This module estimates and subtracts the effect
of each round. The ratio of two corrected times is then comparable to a ratio paired by round, even if one case left the
race (was not measured again) after two repetitions. So the order of cases by corrected time hardly differs from the
order by ratio. The fit is a median polish: medians over rounds and over cases in turn (J. W. Tukey, Exploratory Data
Analysis, 1977).
"""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from accelbench.analysis.samples import Samples

MOST_PASSES, CHANGE = 50, 1e-5  # Maximum number of passes, and relative change of times below which the fit ends


def levels(candidates: Mapping[Any, Samples]) -> dict[Any, dict[str, float]]:
    """Return {key: {repetition: median of log seconds after subtracting the effects of rounds}}.

    The median effects of the repetitions have the mean 0. A round with samples of only one key has the effect 0. If
    there is only one key, its times stay as measured.
    """
    names = sorted({name for samples in candidates.values() for name in samples})
    numbers = sorted({number for samples in candidates.values() for rounds in samples.values() for number in rounds})
    logs = np.full((len(candidates), len(names), len(numbers)), np.nan)
    for matrix, samples in zip(logs, candidates.values(), strict=True):
        for name, rounds in samples.items():
            matrix[names.index(name), np.searchsorted(numbers, list(rounds))] = np.log(list(rounds.values()))
    shared, effects = np.isfinite(logs).sum(axis=0) > 1, np.zeros(logs.shape[1:])
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # nanmean warns if all values are NaN
        means = np.full(len(logs), np.inf)
        for _ in range(MOST_PASSES):
            last, means = means, np.nanmean(_median(logs - effects, 2), axis=1)
            if np.allclose(means, last, rtol=0, atol=CHANGE, equal_nan=True):
                break
            effects = np.where(shared, _median(logs - means[:, None, None], 0), np.nan)
            effects = np.nan_to_num(effects - np.nanmean(_median(effects, 1)))
        medians = _median(logs - effects, 2).tolist()
    return {
        key: {name: level for name, level in zip(names, row, strict=True) if samples.get(name)}
        for (key, samples), row in zip(candidates.items(), medians, strict=True)
    }


def _median(values, axis):
    """Return medians that ignore NaN. numpy.nanmedian takes five times as long for small arrays."""
    count = np.isfinite(values).sum(axis, keepdims=True)
    middle = np.concatenate([np.maximum(count - 1, 0) // 2, count // 2], axis)
    return np.take_along_axis(np.sort(values, axis), middle, axis).mean(axis)
