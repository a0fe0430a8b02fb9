"""Tests of the additive model that estimates the times of cases sampled side by side."""

import math
import statistics

import numpy as np
import pytest

from accelbench.analysis import effects
from accelbench.analysis.choosing import seconds

REPETITIONS, ROUNDS = 5, 12
TRUE = {"numpy": 1.0, "cffi": 0.5, "numba": 0.45, "cython": 0.6, "short": 0.55}


def sweep(generator, moods=0.1, noise=0.003):
    """Return samples of a machine whose speed varies between repetitions and rounds.

    The case `short` has only two repetitions.
    """
    found = {name: {} for name in TRUE}
    for repetition in range(REPETITIONS):
        slow = generator.normal(0, moods) + np.abs(generator.normal(0, moods, ROUNDS))
        for name, time in TRUE.items():
            if name != "short" or repetition < 2:
                logs = math.log(time) + slow + generator.normal(0, noise, ROUNDS)
                found[name][f"r{repetition}"] = dict(enumerate(np.exp(logs)))
    return found


def times(samples):
    return {name: math.exp(statistics.fmean(own.values())) for name, own in effects.levels(samples).items()}


def test_quotients_of_times_are_the_true_ratios_also_of_what_left_early():
    generator = np.random.default_rng(5)
    ours, medians = [], []
    for _ in range(40):
        found = sweep(generator)
        told = times(found)
        ours += [math.log(told[name] / told["numpy"] / TRUE[name]) for name in TRUE]
        medians += [math.log(seconds(found[name]) / seconds(found["numpy"]) / TRUE[name]) for name in TRUE]
    assert statistics.fmean(map(abs, ours)) < 0.002
    assert statistics.fmean(map(abs, medians)) > 0.006


def test_times_are_those_of_the_machine_as_it_was_in_the_middle():
    found = sweep(np.random.default_rng(6))
    told = times(found)
    for name in ("numpy", "cffi"):
        assert told[name] == pytest.approx(seconds(found[name]), rel=0.02)


def test_what_stands_alone_has_the_time_of_its_samples():
    found = sweep(np.random.default_rng(7))
    assert times({"cffi": found["cffi"]})["cffi"] == pytest.approx(seconds(found["cffi"]), rel=1e-4)
    elsewhere = {"x": {0: 2.0, 1: 2.0, 2: 8.0}}
    assert times(found | {"alone": elsewhere})["alone"] == pytest.approx(2.0)


def test_one_slow_round_of_all_changes_nothing():
    quick = {"a": {"r1": {0: 1.0, 1: 1.0, 2: 1.0}}, "b": {"r1": {0: 2.0, 1: 2.0, 2: 2.0}}}
    slow = {name: {"r1": {0: t, 1: t, 2: 9 * t}} for name, t in (("a", 1.0), ("b", 2.0))}
    assert times(slow) == pytest.approx(times(quick))
