"""Verdicts: what is a difference, and how sure is it; the truth is known by construction, by hand or by SciPy."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from synthetic_records import repetition_samples

from accelbench.analysis import verdicts
from accelbench.analysis.verdicts import AMBIGUOUS, FASTER, SAME, SLOWER, Comparison


def trials(ratio, repetitions, count=600, **noise):
    """Comparisons of pairs whose true ratio is `ratio`."""
    generator = np.random.default_rng(20240229)
    return [
        verdicts.speedup(
            repetition_samples(generator, 1e-3 * ratio, repetitions, **noise),
            repetition_samples(generator, 1e-3, repetitions, **noise),
        )
        for _ in range(count)
    ]


def share(comparisons, *wanted):
    return sum(c.verdict in wanted for c in comparisons) / len(comparisons)


@pytest.mark.parametrize("repetitions", [3, 5])
@pytest.mark.parametrize("ratio", [1.0, 1.05, 8.0])
def test_interval_covers_the_truth_as_often_as_it_says(ratio, repetitions):
    covered = np.mean([c.low <= ratio <= c.high for c in trials(ratio, repetitions)])
    # 600 trials at 95 % have a standard error of 0.9 %.
    assert 0.92 <= covered <= 0.98


@pytest.mark.parametrize("repetitions", [3, 5])
def test_equal_cases_are_seldom_called_different(repetitions):
    assert share(trials(1.0, repetitions), FASTER, SLOWER) <= 0.04


def test_planted_differences_are_found():
    faster = trials(1.05, 5, between=0.006)
    assert share(faster, FASTER) >= 0.95
    assert share(faster, SLOWER) == 0
    assert share(trials(1 / 1.05, 5, between=0.006), SLOWER) >= 0.95
    assert np.median([c.ratio for c in faster]) == pytest.approx(1.05, abs=0.002)


def test_drift_that_both_share_does_not_matter():
    generator = np.random.default_rng(1)
    drift = {"a": 1.0, "b": 2.0, "c": 0.7}
    baseline = {s: list(d * 1.05 * np.exp(generator.normal(0, 0.005, 31))) for s, d in drift.items()}
    case = {s: list(d * np.exp(generator.normal(0, 0.005, 31))) for s, d in drift.items()}
    assert verdicts.speedup(baseline, case).verdict == FASTER
    shuffled = {"a": case["b"], "b": case["c"], "c": case["a"]}
    assert verdicts.speedup(baseline, shuffled).verdict == AMBIGUOUS


def test_interval_is_scipys_t_interval_over_log_ratios():
    baseline = {"a": [2.0, 2.2, 9.0], "b": [2.0], "c": [3.0, 3.3], "only here": [1.0]}
    case = {"c": [1.0], "b": [1.0], "a": [1.1, 1.0, 1.2], "only there": [1.0]}
    logs = np.log([2.2 / 1.1, 2.0, 3.15])
    expected = stats.t.interval(0.95, 2, loc=logs.mean(), scale=stats.sem(logs))
    assert verdicts.speedup(baseline, case) == (
        pytest.approx(math.exp(logs.mean())),
        *(pytest.approx(math.exp(end)) for end in expected),
        FASTER,
    )


def test_different_repetitions_are_compared_through_the_baseline_with_welchs_interval():
    baseline = dict(zip("abcdefg", [1.0, 1.1, 0.9, 5.0, 5.5, 6.0, 5.2], strict=True))
    first = {"a": 0.50, "b": 0.56, "c": 0.46}
    second = {"d": 1.00, "e": 1.14, "f": 1.19, "g": 1.05}
    of_first, of_second = ([math.log(baseline[s] / own[s]) for s in own] for own in (first, second))
    test = stats.ttest_ind(of_second, of_first, equal_var=False)
    found = verdicts.between(first, second, baseline)
    assert found.ratio == pytest.approx(math.exp(np.mean(of_second) - np.mean(of_first)))
    assert (found.low, found.high) == pytest.approx(tuple(math.exp(v) for v in test.confidence_interval(0.95)))
    assert found.verdict == FASTER
    assert verdicts.between(first, second) == Comparison()


def test_drift_of_the_baseline_makes_no_winner_on_another_device():
    """A GPU's times are the same in both repetitions; the cores that the baseline ran on were slower in the second."""
    baseline = dict(zip("abcdef", (10, 10.1, 9.9, 11, 11.1, 10.9), strict=True))
    early = dict(zip("abc", (5, 5.001, 4.999), strict=True))
    late = dict(zip("def", (5, 5.001, 4.999), strict=True))
    times = {"early": early, "late": late}
    assert verdicts.find_winner(times, baseline)[0] == "winner"
    assert verdicts.find_winner(times, baseline, on_accelerator={"early", "late"})[:3:2] == ("tie", ("late", "early"))
    rounds = {key: {s: ([t, t], [0, 1]) for s, t in own.items()} for key, own in times.items()}
    assert verdicts.choose(rounds, baseline, on_accelerator={"early", "late"}).tie == ("late", "early")
    # What both ways of comparing say is so.
    twice = {repetition: time / 2 for repetition, time in late.items()}
    found = verdicts.between(early, twice, baseline, on_accelerator=True)
    plain, ratio = (verdicts.compare_indirectly(early, twice, b) for b in (dict.fromkeys("abcdef", 1.0), baseline))
    assert found.verdict == FASTER
    assert (found.low, found.high) == (pytest.approx(plain.low), pytest.approx(ratio.high))
    assert verdicts.order({**times, "twice": twice}, baseline, {"early", "twice"}) == ["twice", "late", "early"]


@pytest.mark.parametrize(
    ("ratios", "same_within", "verdict"),
    [
        ((1.030, 1.031, 1.032), 0.02, FASTER),
        ((1.030, 1.031, 1.032), 0.05, FASTER),
        ((1.010, 1.011, 1.012), 0.02, SAME),  # sure, but less than 2 %
        ((0.970, 0.969, 0.968), 0.02, SLOWER),
        ((0.99, 1.0, 1.01), 0.02, AMBIGUOUS),  # +-2.5 %
        ((0.99, 1.0, 1.01), 0.05, SAME),
        ((1.0, 1.0, 1.0), 0.02, SAME),
        ((1.00, 1.04, 1.08), 0.02, AMBIGUOUS),
        ((1.02,) * 3, 0.02, SAME),  # exactly 2 % does not exceed it
    ],
)
def test_verdicts_by_hand(ratios, same_within, verdict):
    baseline = {str(i): [ratio] for i, ratio in enumerate(ratios)}
    assert verdicts.speedup(baseline, {repetition: [1.0] for repetition in baseline}, same_within).verdict == verdict


@pytest.mark.parametrize(
    ("baseline", "case", "expected"),
    [
        ({"a": [2.0, 4.0]}, {"a": [1.0]}, Comparison(3.0)),
        ({"a": [3.0], "b": [3.0]}, {"b": [1.0], "c": [1.0]}, Comparison(3.0)),
        ({"a": [3.0], "b": [3.0]}, {"c": [1.0], "d": [1.0]}, Comparison()),
        ({"a": [3.0], "b": []}, {"a": [], "b": [1.0]}, Comparison()),
        ({"a": [3.0], "b": [0.0]}, {"a": [1.0], "b": [1.0]}, Comparison(3.0)),
        ({}, {}, Comparison()),
    ],
)
def test_one_repetition_gives_a_ratio_and_no_verdict(baseline, case, expected):
    found = verdicts.speedup(baseline, case)
    assert found[1:] == expected[1:]
    assert found.ratio == pytest.approx(expected.ratio)


some_times = st.dictionaries(st.sampled_from("abcdef"), st.floats(1e-9, 1e3))


@settings(deadline=None)
@given(some_times, some_times)
def test_comparison_is_antisymmetric(first, second):
    there, back = verdicts.compare(first, second), verdicts.compare(second, first)
    if there.ratio is None:
        assert back == Comparison()
        return
    assert there.ratio == pytest.approx(1 / back.ratio)
    assert (there.verdict is None) == (len(first.keys() & second.keys()) < 2)
    if there.verdict in (FASTER, SLOWER):
        assert {there.verdict, back.verdict} == {FASTER, SLOWER}
    if there.low is not None:
        assert there.low <= there.ratio * (1 + 1e-12)
        assert there.ratio <= there.high * (1 + 1e-12)
