"""From raw rounds to a verdict, with the truth known: what disturbs a machine, and how often intervals hold the truth.

Sixteen rounds in each of five repetitions. Whatever the machine does in a round it does to both cases; beside it each
sample scatters by 1 %, and each repetition has a ratio of its own (1.3 %).
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
LOW, HIGH = 0.93, 0.97  # three standard errors of 95 % in 1000 trials
CARDS = "aabbb"  # instances that repetitions run on, where there are two


def plain(generator, first, second):
    pass


def drift(generator, first, second):
    """10 % from repetition to repetition, and as much up or down within one."""
    slope = generator.normal(0, 0.1, SHAPE[:2])[..., None] * np.linspace(0, 1, ROUNDS)
    for logs in (first, second):
        logs += slope + 0.1 * np.arange(REPETITIONS)[:, None]


def outliers(generator, first, second):
    """One sample in ten is interrupted, and takes 80 % longer on average."""
    for logs in (first, second):
        logs += np.where(generator.random(SHAPE) < 0.1, generator.exponential(0.8, SHAPE), 0)


def modes(generator, first, second):
    """By luck of its process the first takes 4 % more or less; what is told is their mean."""
    first += 0.04 * generator.choice([-0.5, 0.5], SHAPE[:2])[..., None]


def correlated(generator, first, second):
    """What a sample scatters by is 0.9 of what the one before did, and as much as ever in all."""
    for logs in (first, second):
        for number in range(1, ROUNDS):
            logs[..., number] = 0.9 * logs[..., number - 1] + math.sqrt(1 - 0.9**2) * logs[..., number]


def slow_instance(generator, first, second):
    """Three of the repetitions ran on a card half as fast, whose ratios differ from the other's by 3 %."""
    on = np.array([letter == "b" for letter in CARDS])
    own = generator.normal(0, 0.03 / math.sqrt(2), (TRIALS, 2))
    for logs in (first, second):
        logs += math.log(2) * on[:, None]
    first += np.where(on, own[:, :1], own[:, 1:])[..., None]


def measured(disturb, ratio, seed):
    """({repetition: log ratio} of each trial, the Scatter of the machine), the second case being so much faster."""
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
