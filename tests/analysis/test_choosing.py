"""Tests that the time reported for the fastest of several candidates has no selection bias."""

import math

import numpy as np
import pytest

from accelbench.analysis import effects
from accelbench.analysis.choosing import choose, interval, ranked, seconds
from accelbench.analysis.priors import DEVICE, HOST, Prior
from accelbench.analysis.samples import level, levels, pseudo_values
from accelbench.analysis.scatter import Scatter

CALM = Scatter(priors={HOST: Prior(0.01, 3)})
FAST_ALSO_SLOW = ((1.0, 1.1, 1.2), (1.01, 1.10, 1.21), (1.5, 1.6, 1.8))


def chosen(candidates):
    return choose(candidates, lambda key, best, reported: CALM.compare(candidates[key], reported))


def repetitions(times):
    """Return {repetition: four equal samples} from `times`, {repetition: seconds}."""
    return {name: dict.fromkeys(range(4), seconds) for name, seconds in times.items()}


def alike(generator, repetitions=5, between=0.02, rounds=12):
    """Return samples of one of several equally fast cases, with the usual scatter between repetitions."""
    shifts = generator.normal(0, between, repetitions)
    return {
        f"r{number}": dict(enumerate(np.exp(shift + generator.normal(0, 0.005, rounds))))
        for number, shift in enumerate(shifts)
    }


def of_halves(candidates):
    """Choose a candidate by its even rounds, as protocol 1 did. Return the mean log time of its odd rounds."""
    halves = [
        {key: np.mean([math.log(np.median([t for n, t in own.items() if n % 2 == parity])) for own in s.values()])
         for key, s in candidates.items()} for parity in (0, 1)
    ]  # fmt: skip
    return halves[1][min(halves[0], key=halves[0].get)]


@pytest.mark.processes
def test_best_of_many_equal_candidates_is_not_reported_too_fast():
    """A choice by half of the rounds has a selection bias, unlike leave-one-repetition-out.

    A process is fast or slow as a whole. Both halves of its rounds share this deviation; other processes do not.
    """
    generator = np.random.default_rng(3)
    reported, halved, ties = [], [], []
    for _ in range(150):
        candidates = {block: alike(generator) for block in range(12)}
        choice = chosen(candidates)
        assert choice.held_out
        reported.append(np.mean([math.log(np.quantile(list(r.values()), 0.25)) for r in choice.samples.values()]))
        halved.append(of_halves(candidates))
        ties.append(len(choice.tie))
    truth = -0.6745 * 0.005  # lower quartile of the samples' scatter
    error = 0.02 / math.sqrt(5 * 150)
    assert abs(np.mean(reported) - truth) < 4 * error
    assert np.mean(halved) < -8 * error
    assert np.mean(ties) > 8


def test_each_repetition_is_reported_of_what_the_others_chose():
    first = repetitions({"a": 1.0, "b": 5.0, "c": 5.0})  # candidate 1 is the fastest in repetition a only
    second = repetitions({"a": 2.0, "b": 2.0, "c": 2.0})
    choice = chosen({1: first, 2: second})
    assert choice.case == 2
    assert choice.chosen == {"a": 2, "b": 2, "c": 2}
    choice = chosen({1: repetitions({"a": 0.5, "b": 1.9, "c": 1.9}), 2: second})
    assert (choice.case, choice.chosen) == (1, {"a": 1, "b": 1, "c": 1})
    choice = chosen({1: repetitions({"a": 0.5, "b": 2.1, "c": 2.1}), 2: second})
    assert (choice.case, choice.chosen) == (1, {"a": 2, "b": 1, "c": 1})
    assert choice.samples["a"] == second["a"]


def test_repetition_that_the_others_choice_lacks_is_reported_of_what_they_find_fastest_in_it():
    """The other repetitions choose among the candidates that were measured in repetition a.

    The best candidate over all repetitions is not used, since repetition a helped to choose it.
    """
    lucky = repetitions({"a": 0.5, "b": 2.1, "c": 2.1})
    steady = repetitions({"a": 2.0, "b": 2.0, "c": 2.0})
    elsewhere = repetitions({"b": 1.9, "c": 1.9})
    choice = chosen({"lucky": lucky, "steady": steady, "elsewhere": elsewhere})
    assert choice.case == "lucky"
    assert choice.chosen["a"] == "steady"
    assert choice.samples["a"] == steady["a"]


@pytest.mark.processes
@pytest.mark.parametrize(("candidates", "repetitions"), [(3, 5), (12, 5), (3, 10), (12, 10)])
def test_interval_of_the_best_of_many_equal_ones_covers_the_truth(candidates, repetitions):
    """The repetitions' choices depend on each other. If intervals ignore this, only 73 to 88 % cover the truth."""
    generator, known = np.random.default_rng([candidates, repetitions]), Scatter(priors={HOST: Prior(0.02, 3)})
    names = [f"r{number}" for number in range(repetitions)]
    beside, own, of_seconds = {name: {0: 1.0} for name in names}, [], []
    for _ in range(200):
        deviation = 0.02 * math.sqrt(3 / generator.chisquare(3))
        times = np.exp(generator.normal(0, deviation, (candidates, repetitions)))
        choice = choose({key: {n: {0: t} for n, t in zip(names, row, strict=True)} for key, row in enumerate(times)})
        found = known.compare(beside, choice.samples)
        assert found.ratio == pytest.approx(1 / seconds(choice.samples))
        own.append(found.low <= 1 <= found.high)
        low, high = interval(choice.samples, known, HOST)
        of_seconds.append(low <= 1 <= high)
    assert min(np.mean(own), np.mean(of_seconds)) >= 0.92


def test_repetition_says_what_it_changes_in_others_that_it_helps_to_choose():
    """The samples of a fastest case, chosen by leave-one-repetition-out, yield jackknife pseudo-values.

    A repetition's pseudo-value is four times the mean minus three times the mean without this repetition. All four
    pseudo-values are then shifted, so that their mean is the mean of the samples.
    """
    samples = {
        64: repetitions({"a": 1.0, "b": 5.0, "c": 2.0, "d": 2.0}),
        128: repetitions({"a": 4.0, "b": 1.1, "c": 2.2, "d": 2.1}),
    }
    choice = choose(samples)

    def mean(candidates):
        return np.mean([math.log(rounds[0]) for rounds in choose(candidates).samples.values()])

    without = [
        mean({key: {name: own[name] for name in own if name != left_out} for key, own in samples.items()})
        for left_out in "abcd"
    ]
    assert {name: rounds[0] for name, rounds in choice.samples.items()} == {"a": 4.0, "b": 5.0, "c": 2.2, "d": 2.1}
    pseudo = 4 * mean(samples) - 3 * np.array(without)
    found = pseudo_values(level, choice.samples)
    assert list(found) == list("abcd")
    assert list(found.values()) == pytest.approx(list(pseudo - pseudo.mean() + mean(samples)))


def test_what_is_clearly_the_best_is_told_as_it_would_be_alone():
    fast, slow = (repetitions(dict(zip("abcd", times, strict=True))) for times in ((1, 1.1, 1.2, 1), (5, 5, 6, 7)))
    choice = choose({"slow": slow, "fast": fast})
    assert choice.held_out
    assert CALM.compare(slow, choice.samples) == CALM.compare(slow, fast)
    assert interval(choice.samples, CALM, HOST) == interval(fast, CALM, HOST)


def test_times_of_a_device_apart_are_told_with_what_they_change():
    """The uncertainty of the choice of the fastest case also widens the interval of an indirect comparison."""
    names = {"a": 1.0, "b": 5.0, "c": 2.0, "d": 2.0}, {"a": 4.0, "b": 1.1, "c": 2.2, "d": 2.1}
    choice = choose(dict(enumerate(map(repetitions, names))))
    other = repetitions(dict.fromkeys("efgh", 3.0))
    for kind in (HOST, DEVICE):
        scatter = Scatter(priors={kind: Prior(0.01, 3)})
        beside = repetitions(dict.fromkeys("abcdefgh", 9.0))
        found = scatter.indirect(other, choice.samples, beside, kind=kind)
        plain = scatter.indirect(other, dict(choice.samples), beside, kind=kind)
        assert found.ratio == pytest.approx(plain.ratio)
        assert found.low < plain.low


def test_repetitions_of_an_instance_that_the_other_lacks_say_nothing():
    """The ratio ignores repetitions on an instance on which the other case was not measured."""
    names = {"a": 1.0, "b": 5.0, "c": 2.0, "d": 2.0}, {"a": 4.0, "b": 1.1, "c": 2.2, "d": 2.1}
    choice = choose(dict(enumerate(map(repetitions, names))))
    scatter = Scatter(priors={DEVICE: Prior(0.01, 3)}, instances=dict(zip("abcdefgh", "11221111", strict=True)))
    found = scatter.indirect(repetitions(dict.fromkeys("efgh", 3.0)), choice.samples, {}, kind=DEVICE)
    assert found.ratio == pytest.approx(3 / math.sqrt(4.0 * 5.0))


def test_best_separates_and_ties():
    fast, also, slow = (repetitions(dict(zip("abc", times, strict=True))) for times in FAST_ALSO_SLOW)
    choice = chosen({"slow": slow, "also": also, "fast": fast})
    assert (choice.case, choice.tie) == ("fast", ("fast", "also"))


def test_nothing_is_chosen_among_nothing():
    assert chosen({}) is None
    assert chosen({1: {"a": {}}}) is None


def test_best_of_one_process_has_no_tie():
    quick, slow = repetitions({"a": 1.0}), repetitions({"a": 9.0})
    choice = chosen({"slow": slow, "quick": quick})
    assert (choice.case, choice.tie, choice.held_out) == ("quick", (), False)
    assert chosen({"quick": quick}).tie == ()


def test_best_is_not_shadowed_by_parameters_seen_in_one_repetition():
    once, often = repetitions({"a": 0.1}), repetitions(dict.fromkeys("abc", 1.0))
    choice = chosen({"once": once, "often": often})
    assert (choice.case, choice.tie, choice.held_out) == ("often", ("often",), False)


def winner(times, baseline=None):
    samples = {key: repetitions(own) for key, own in times.items()}
    beside = baseline and repetitions(baseline)

    def of_two(case, fastest, _):
        return CALM.between(samples[case], samples[fastest], beside)

    model = effects.levels(samples | {"baseline": beside}) if beside else None
    best = choose(samples, of_two, times=model and {key: model[key] for key in samples})
    return best and (best.decision, best.case, best.tie, best.undetermined, tuple(best.incomparable))


def test_winner_of_one_process_is_none():
    assert winner({"slow": {"a": 9.0}, "quick": {"a": 1.0}}) == ("one_process", "quick", (), (), ())
    assert winner({}) is None


def test_winner_tie_and_what_cannot_be_compared():
    fast, also, slow = (dict(zip("abc", times, strict=True)) for times in FAST_ALSO_SLOW)
    assert winner({"slow": slow, "fast": fast}) == ("winner", "fast", ("fast",), (), ())
    once = {"a": 0.001}
    found = winner({"once": once, "slow": slow, "also": also, "fast": fast})
    assert found == ("tie", "fast", ("fast", "also"), (), ("once",))


def test_tie_is_not_had_by_scattering():
    fast, also, slow = (dict(zip("abc", times, strict=True)) for times in FAST_ALSO_SLOW)
    wild = {"a": 1.0, "b": 4.0, "c": 60.0}  # slow, but the interval of its ratio to `fast` includes 1
    found = winner({"wild": wild, "slow": slow, "also": also, "fast": fast})
    assert found == ("tie", "fast", ("fast", "also"), ("wild",), ())
    assert winner({"wild": wild, "slow": slow, "fast": fast})[:4] == ("winner", "fast", ("fast",), ("wild",))
    assert winner({"wild": wild, "fast": fast})[:3] == ("tie", "fast", ("fast", "wild"))


def test_winner_among_later_repetitions_is_found_through_the_baseline():
    baseline = dict(zip("abcdef", (10, 10.1, 9.9, 20, 20.1, 19.9), strict=True))
    early = dict(zip("abc", (5, 5.04, 4.96), strict=True))  # twice as fast as the baseline
    late = dict(zip("def", (5, 5.04, 4.96), strict=True))  # four times as fast as the baseline, which was slower then
    assert winner({"early": early, "late": late}, baseline)[:3] == ("winner", "late", ("late",))


@pytest.mark.parametrize("left_out", "abc")
def test_ranking_without_a_repetition_forgets_it(left_out):
    times = {"x": {"a": 1.0, "b": 1.0, "c": 1.0}, "y": {"a": 2.0, "b": 2.0, "c": 2.0} | {left_out: 1e-3}}
    logs = {key: levels(repetitions(own)) for key, own in times.items()}
    assert ranked(logs) == ["y", "x"]
    assert ranked(logs, without={left_out}) == ["x", "y"]
