"""Tests of intervals and verdicts from simulated samples with a known ratio, under typical disturbances of a machine.

Each of five repetitions has sixteen rounds. Samples scatter by 1 %, the ratios of repetitions by 1.3 %.
"""

import math

import numpy as np
import pytest

from accelbench.analysis import scatter
from accelbench.analysis.priors import HOST
from accelbench.analysis.samples import log_ratios
from accelbench.analysis.verdicts import FASTER, SLOWER

TRIALS, REPETITIONS, ROUNDS = 1000, 5, 16
SHAPE = TRIALS, REPETITIONS, ROUNDS
LOW, HIGH = 0.93, 0.97  # bounds of a 95 % coverage: three standard errors in 1000 trials
CARDS = "aabbb"  # instance of each of the five repetitions, if there are two instances


def plain(generator, first, second):
    pass


def drift(generator, first, second):
    """Add a drift of 10 % per repetition, and a random drift of about 10 % within each repetition."""
    slope = generator.normal(0, 0.1, SHAPE[:2])[..., None] * np.linspace(0, 1, ROUNDS)
    for logs in (first, second):
        logs += slope + 0.1 * np.arange(REPETITIONS)[:, None]


def outliers(generator, first, second):
    """Lengthen one sample in ten by a random factor, whose geometric mean is 2.2."""
    for logs in (first, second):
        logs += np.where(generator.random(SHAPE) < 0.1, generator.exponential(0.8, SHAPE), 0)


def modes(generator, first, second):
    """Make each repetition of the first case 2 % faster or slower at random. The mean ratio is the true one."""
    first += 0.04 * generator.choice([-0.5, 0.5], SHAPE[:2])[..., None]


def correlated(generator, first, second):
    """Correlate successive samples with a coefficient of 0.9, without changing their variance."""
    for logs in (first, second):
        for number in range(1, ROUNDS):
            logs[..., number] = 0.9 * logs[..., number - 1] + math.sqrt(1 - 0.9**2) * logs[..., number]


def slow_instance(generator, first, second):
    """Run three repetitions on a second instance of half the speed. The ratios of the instances differ by about 3 %."""
    on = np.array([letter == "b" for letter in CARDS])
    own = generator.normal(0, 0.03 / math.sqrt(2), (TRIALS, 2))
    for logs in (first, second):
        logs += math.log(2) * on[:, None]
    first += np.where(on, own[:, :1], own[:, 1:])[..., None]


def measured(disturb, ratio, seed):
    """Return ({repetition: log ratio} of each trial, Scatter). The first case takes `ratio` times the second's time."""
    generator = np.random.default_rng(seed)
    first, second = generator.normal(0, 0.01, (2, *SHAPE))
    disturb(generator, first, second)
    first += generator.normal(0, 0.013, SHAPE[:2])[..., None] + math.log(ratio)
    both = [[{str(r): dict(enumerate(own)) for r, own in enumerate(trial)} for trial in np.exp(logs)]
            for logs in (first, second)]  # fmt: skip
    pool = [log_ratios(slow, fast) for slow, fast in zip(*both, strict=True)]
    cards = dict(zip(map(str, range(REPETITIONS)), CARDS if disturb is slow_instance else "aaaaa", strict=True))
    return pool, scatter.estimate({HOST: pool}, virtualised=True, gpu=False, batches=cards, instances=cards)


@pytest.mark.parametrize("disturb", [plain, drift, outliers, modes, correlated, slow_instance])
def test_intervals_hold_the_truth_whatever_disturbs_the_machine(disturb):
    pool, known = measured(disturb, 1.0, 7)
    found = [known.judge(logs) for logs in pool]
    assert LOW <= np.mean([each.low <= 1 <= each.high for each in found]) <= HIGH
    assert np.mean([each.verdict in (FASTER, SLOWER) for each in found]) <= 0.03


@pytest.mark.parametrize("disturb", [plain, drift, outliers, correlated])
def test_planted_tenth_is_found_whatever_disturbs_the_machine(disturb):
    pool, known = measured(disturb, 1.1, 8)
    found = [known.judge(logs) for logs in pool]
    assert LOW <= np.mean([each.low <= 1.1 <= each.high for each in found]) <= HIGH
    assert np.mean([each.verdict == FASTER for each in found]) >= 0.9
