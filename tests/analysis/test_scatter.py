"""Tests of intervals and verdicts. The expected values are simulated, computed by hand or computed by SciPy."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from accelbench.analysis import scatter
from accelbench.analysis.priors import DEVICE, DEVICE_10_US, DEVICE_25_US, HOST, Prior, RunSpread
from accelbench.analysis.scatter import Scatter
from accelbench.analysis.verdicts import AMBIGUOUS, FASTER, SAME, SLOWER, Comparison

NOTHING_KNOWN = {HOST: Prior(1.0, 1e-12), DEVICE: Prior(1.0, 1e-12)}
TRIALS = 800  # standard error of a 95 % coverage: 0.8 %
LOWEST = 0.928  # lower bound of a 95 % coverage in 800 trials; correct intervals exceed it in 996 of 1000 tests


def logs_of(generator, ratio, repetitions, deviation, runs=1, of_runs=0.0):
    """Return ({repetition: log ratio}, {repetition: run}) with random deviations of repetitions and of runs."""
    logs, batches = {}, {}
    for run in range(runs):
        level = math.log(ratio) + generator.normal(0, of_runs / math.sqrt(2))
        for number in range(repetitions):
            logs[f"{run}.{number}"], batches[f"{run}.{number}"] = level + generator.normal(0, deviation), str(run)
    return logs, batches


def deviations_of_runs(generator, deviation):
    """Return random deviations between runs, whose squares are inverse chi-squared with 4 degrees of freedom."""
    return deviation * np.sqrt(4 / generator.chisquare(4, TRIALS))


def covered(comparisons, ratio):
    return np.mean([found.low <= ratio <= found.high for found in comparisons])


def share(comparisons, *wanted):
    return np.mean([found.verdict in wanted for found in comparisons])


def test_interval_without_a_prior_is_scipys_t_interval():
    logs = dict(zip("abcde", np.log([1.9, 2.0, 2.1, 2.05, 1.98]), strict=True))
    values = list(logs.values())
    expected = stats.t.interval(0.95, 4, loc=np.mean(values), scale=stats.sem(values))
    found = Scatter(priors=NOTHING_KNOWN).judge(logs)
    assert found.ratio == pytest.approx(math.exp(np.mean(values)))
    assert (found.low, found.high) == pytest.approx(tuple(map(math.exp, expected)))
    assert found.verdict == FASTER


def test_prior_is_found_again():
    """The prior is estimated correctly from variances drawn from a scaled inverse chi-squared distribution."""
    generator = np.random.default_rng(11)
    variances = 0.02**2 * 3 / generator.chisquare(3, 3000)
    pool = [dict(enumerate(generator.normal(0, math.sqrt(v), 5))) for v in variances]
    found = scatter.estimate({HOST: pool}, virtualised=False, gpu=False, batches={}).priors[HOST]
    assert found.deviation == pytest.approx(0.02, rel=0.05)
    assert found.freedom == pytest.approx(3, abs=0.4)


@pytest.mark.parametrize("ratio", [1.0, 1.05, 8.0])
@pytest.mark.parametrize("repetitions", [3, 5])
def test_interval_covers_the_truth_as_often_as_it_says(ratio, repetitions):
    """The cases scatter differently. A prior estimated from all cases narrows their intervals."""
    generator = np.random.default_rng(20240229)
    deviations = 0.013 * np.sqrt(2 / generator.chisquare(2, TRIALS))
    drawn = [logs_of(generator, ratio, repetitions, deviation)[0] for deviation in deviations]
    measured = scatter.estimate({HOST: drawn}, virtualised=True, gpu=False, batches={})
    found = [measured.judge(logs) for logs in drawn]
    assert 0.93 <= covered(found, ratio) <= 0.97
    alone = [Scatter(priors=NOTHING_KNOWN).judge(logs) for logs in drawn]
    widths, plain = (np.median([math.log(c.high / c.low) for c in each]) for each in (found, alone))
    assert widths < plain  # narrower than intervals from the repetitions alone


@pytest.mark.parametrize("runs", [1, 2])
def test_next_interval_covers_what_the_next_run_reports(runs):
    """The interval includes the deviation of the next run, which one run does not show. Protocol 1 ignored it."""
    generator = np.random.default_rng(3)
    known = Scatter(priors={HOST: Prior(0.013, 4)}, runs={HOST: RunSpread(0.03)})
    inside, inside_own = [], []
    for of_runs in deviations_of_runs(generator, 0.03):
        logs, batches = logs_of(generator, 1.0, 5, 0.013, runs, of_runs)
        later, _ = logs_of(generator, 1.0, 5, 0.013, 1, of_runs)
        known.batches = batches
        found, reported = known.judge(logs), math.exp(np.mean(list(later.values())))
        inside.append(found.next_low <= reported <= found.next_high)
        inside_own.append(found.low <= reported <= found.high)
    assert 0.93 <= np.mean(inside) <= 0.97
    assert np.mean(inside_own) < 0.85


def on_instances(generator, instances, *, runs=1, repetitions=5, deviation=0.0, of_runs=0.0):
    """Return ({repetition: log ratio}, {repetition: run}, {repetition: instance}). The true log ratio is 0."""
    logs, batches, on = {}, {}, {}
    for card in range(instances):
        level = math.exp(generator.normal(0, deviation))
        own, run_of = logs_of(generator, level, repetitions, 0.013, runs, of_runs)
        for name, value in own.items():
            at = f"{card}.{name}"
            logs[at], batches[at], on[at] = value, f"{run_of[name]} on {card}", str(card)
    return logs, batches, on


# (instances, runs per instance, repetitions per run, deviation of instances, deviation of the difference of two runs)
LEVELS = [
    (1, 1, 5, 0.05, 0.0),
    (2, 2, 5, 0.03, 0.01),
    (2, 1, 5, 0.05, 0.02),
    (6, 1, 5, 0.05, 0.02),
    (5, 1, 1, 0.03, 0.02),
]


@pytest.mark.processes
@pytest.mark.parametrize("alike", [True, False], ids=["alike", "unlike"])
@pytest.mark.parametrize("levels", LEVELS, ids=str)
def test_interval_over_instances_covers_what_all_of_them_have_in_common(levels, alike):
    """The spread of instances is equal for all cases (alike) or not (unlike). Intervals use its estimate or a default.

    Two instances alone would leave one degree of freedom. The prior adds degrees of freedom, so that the intervals of
    two instances cover the mean slightly too often.
    """
    instances, runs, repetitions, deviation, of_runs = levels
    generator = np.random.default_rng([instances, runs, repetitions])
    own = deviation * (np.ones(TRIALS) if alike else np.sqrt(3 / generator.chisquare(3, TRIALS)))
    drawn = [
        on_instances(generator, instances, runs=runs, repetitions=repetitions, deviation=d, of_runs=of_runs)
        for d in own
    ]
    _, batches, on = drawn[0]
    pool = [logs for logs, _, _ in drawn]
    measured = scatter.estimate({HOST: pool}, virtualised=True, gpu=False, batches=batches, instances=on)
    borrowed = {"priors": {HOST: Prior(0.013, 4)}, "runs": {HOST: RunSpread(of_runs)}}
    both = measured, Scatter(batches=batches, instances=on, **borrowed)
    found = [[each.judge(logs) for logs in pool] for each in both]
    if instances == 1:  # the interval covers repetitions on this instance only
        assert all(covered(comparisons, 1.0) < 0.9 for comparisons in found)
        return
    assert LOWEST <= covered(found[0], 1.0) <= (0.99 if instances == 2 else 0.975)
    assert covered(found[1], 1.0) >= LOWEST
    widths = [np.median([math.log(c.high / c.low) / 2 for c in comparisons]) for comparisons in found]
    assert widths[0] < 4 * math.hypot(deviation, of_runs, 0.013) / math.sqrt(instances)
    later = [on_instances(generator, 1, deviation=d, repetitions=repetitions, of_runs=of_runs)[0] for d in own]
    reported = [math.exp(np.mean(list(logs.values()))) for logs in later]
    inside = [c.next_low <= ratio <= c.next_high for c, ratio in zip(found[0], reported, strict=True)]
    assert LOWEST <= np.mean(inside) <= 0.985


def test_means_are_taken_within_an_instance_first():
    often = {f"a{n}": math.log(2) for n in range(9)} | {"b": math.log(8)}
    cards = {name: name[0] for name in often}
    assert Scatter(instances=cards, batches=cards).judge(often).ratio == pytest.approx(4)
    runs = {name: f"{name[0]} {'late' if name == 'a8' else 'early'}" for name in often}
    often["a8"] = math.log(32)
    assert Scatter(instances=cards, batches=runs).judge(often).ratio == pytest.approx(8)


def test_spread_of_instances_is_found_again():
    """The spread of instances is estimated correctly, separately from the spread of runs on one instance."""
    generator = np.random.default_rng(6)
    own = 0.1 * np.sqrt(3 / generator.chisquare(3, 1000))
    drawn = [on_instances(generator, 4, runs=2, deviation=deviation, of_runs=0.03) for deviation in own]
    _, batches, on = drawn[0]
    pool = [logs for logs, _, _ in drawn]
    found = scatter.estimate({HOST: pool}, virtualised=False, gpu=False, batches=batches, instances=on)
    assert found.of_instances[HOST].deviation == pytest.approx(0.1, rel=0.1)
    assert found.runs[HOST].deviation == pytest.approx(0.03, rel=0.2)
    few = scatter.estimate({HOST: pool[:3]}, virtualised=False, gpu=False, batches=batches, instances=on)
    assert few.of_instances == Scatter().of_instances


def test_run_spread_is_found_again():
    generator = np.random.default_rng(4)
    pool, batches = [], {}
    for _ in range(600):
        logs, batches = logs_of(generator, 1.0, 5, 0.01, 2, 0.035)
        pool.append(logs)
    found = scatter.estimate({HOST: pool}, virtualised=False, gpu=False, batches=batches).runs[HOST]
    assert found.deviation == pytest.approx(0.035, rel=0.15)
    assert found.runs == 2
    borrowed = scatter.estimate({HOST: pool[:3]}, virtualised=False, gpu=False, batches=batches).runs[HOST]
    assert borrowed.runs == 0


def test_equal_runs_are_seldom_called_different():
    """Protocol 1 used only the scatter of repetitions, and called one pair of equal runs in ten different."""
    generator = np.random.default_rng(9)
    known = Scatter(priors={HOST: Prior(0.013, 3)}, runs={HOST: RunSpread(0.02)})
    pairs = [[logs_of(generator, 1.0, 5, 0.013, 1, 0.02)[0] for _ in range(2)] for _ in range(TRIALS)]
    assert share([known.compare_unpaired(*pair) for pair in pairs], FASTER, SLOWER) <= 0.03
    assert share([known.compare_unpaired(*pair, runs=False) for pair in pairs], FASTER, SLOWER) > 0.03


def test_intervals_of_two_runs_hold_the_truth_if_cases_vary_unequally_between_runs():
    """Times of cases with two threads differ more between two sweeps than those of other cases.

    Intervals with 1.96 times the common deviation contained the truth of 89 % of such cases.
    """
    generator = np.random.default_rng(13)
    known = Scatter(priors={HOST: Prior(0.001, 3)}, runs={HOST: RunSpread(0.02)})
    pairs = [
        [logs_of(generator, 1.0, 5, 0.001, 1, of_runs)[0] for _ in range(2)]
        for of_runs in deviations_of_runs(generator, 0.02)
    ]
    assert 0.93 <= covered([known.compare_unpaired(*pair) for pair in pairs], 1.0) <= 0.97


# Times of one call of vector_multiply in microseconds, in two repetitions of each of four sweeps on an H200
FOUR_SWEEPS = {
    "numba_cuda_jit": [(1.747, 1.773), (1.875, 1.859), (1.888, 1.832), (1.778, 1.753)],
    "pycuda_raw": [(1.817, 1.791), (1.691, 1.694), (1.683, 1.781), (1.816, 1.693)],
}


@pytest.mark.parametrize("sweeps", FOUR_SWEEPS.values(), ids=FOUR_SWEEPS)
def test_short_calls_on_a_device_differ_more_between_runs_than_long_calls(sweeps):
    """With the spread of long calls, sweeps that differ by 5 to 8 % would be called different."""
    logs = [{str(n): -math.log(seconds) for n, seconds in enumerate(times)} for times in sweeps]
    pairs = list(itertools.combinations(logs, 2))
    of_sweeps = {"priors": {DEVICE: Prior(0.01, 4)}}  # estimated from other cases of these sweeps
    short = [Scatter(**of_sweeps).compare_unpaired(*pair, DEVICE_10_US) for pair in pairs]
    assert share(short, FASTER, SLOWER) == 0
    assert all(pair.next_low < 1 < pair.next_high for pair in short)
    same_spread = Scatter(**of_sweeps, runs={DEVICE: RunSpread(0.002)})
    assert share([same_spread.compare_unpaired(*pair, DEVICE_10_US) for pair in pairs], FASTER, SLOWER) > 0
    assert Scatter().spread(DEVICE_25_US) == Scatter().spread(DEVICE) < Scatter().spread(DEVICE_10_US)


@pytest.mark.parametrize(("ratio", "least"), [(1.10, 0.6), (1.15, 0.9)])
def test_planted_differences_between_runs_are_found(ratio, least):
    generator = np.random.default_rng(10)
    known = Scatter(priors={HOST: Prior(0.013, 3)}, runs={HOST: RunSpread(0.02)})
    slow, fast = ([logs_of(generator, r, 5, 0.013, 1, 0.02)[0] for _ in range(300)] for r in (1.0, ratio))
    assert share([known.compare_unpaired(*pair) for pair in zip(slow, fast, strict=True)], FASTER) >= least


def test_planted_difference_within_a_run_is_found():
    generator = np.random.default_rng(12)
    known = Scatter(priors={HOST: Prior(0.008, 3)})
    assert share([known.judge(logs_of(generator, 1.05, 5, 0.008)[0]) for _ in range(300)], FASTER) >= 0.9


@pytest.mark.parametrize(
    ("ratios", "same_within", "verdict"),
    [
        ((1.030, 1.031, 1.032), 0.02, FASTER),
        ((1.030, 1.031, 1.032), 0.05, FASTER),
        ((1.010, 1.011, 1.012), 0.02, SAME),  # significant, but less than 2 %
        ((0.970, 0.969, 0.968), 0.02, SLOWER),
        ((0.99, 1.0, 1.01), 0.02, AMBIGUOUS),  # +-2.5 %
        ((0.99, 1.0, 1.01), 0.05, SAME),
        ((1.00, 1.04, 1.08), 0.02, AMBIGUOUS),
        ((1.02, 1.022, 1.021), 0.02, AMBIGUOUS),  # 2 % is within the interval
    ],
)
def test_verdicts_by_hand(ratios, same_within, verdict):
    logs = dict(enumerate(map(math.log, ratios)))
    assert Scatter(same_within, priors=NOTHING_KNOWN).judge(logs).verdict == verdict


def test_one_repetition_gives_a_ratio_and_no_verdict():
    assert Scatter().judge({"a": math.log(3)}) == Comparison(pytest.approx(3.0))
    assert Scatter().judge({}) == Comparison()


def test_different_repetitions_are_compared_through_the_baseline():
    """Cases of different repetitions are compared through the baseline, which a disturbance slows like the cases.

    The interval is that of Welch's t-test, as SciPy computes it.
    """
    baseline = {name: {0: t} for name, t in zip("abcdefg", [1.0, 1.1, 0.9, 5.0, 5.5, 6.0, 5.2], strict=True)}
    first = {name: {0: t} for name, t in {"a": 0.50, "b": 0.56, "c": 0.46}.items()}
    second = {name: {0: t} for name, t in {"d": 1.00, "e": 1.14, "f": 1.19, "g": 1.05}.items()}
    ratios = [[math.log(baseline[name][0] / own[name][0]) for name in own] for own in (first, second)]
    test = stats.ttest_ind(ratios[1], ratios[0], equal_var=False)
    one_run = Scatter(priors=NOTHING_KNOWN)
    found = one_run.between(first, second, baseline)
    assert found.ratio == pytest.approx(math.exp(np.mean(ratios[1]) - np.mean(ratios[0])))
    assert (found.low, found.high) == pytest.approx(tuple(map(math.exp, test.confidence_interval(0.95))))
    assert one_run.between(first, second, None) == Comparison()
    batches = {**dict.fromkeys("abc", "monday"), **dict.fromkeys("defg", "tuesday")}
    days = Scatter(priors=NOTHING_KNOWN, batches=batches).between(first, second, baseline)
    assert days.low < found.low
    assert found.high < days.high


def test_next_interval_of_different_repetitions_holds_what_the_next_run_differs_by():
    """Both cases were measured in one run, so only the interval for the next run has a run component."""
    generator = np.random.default_rng(14)
    known = Scatter(priors={HOST: Prior(0.013, 4)}, runs={HOST: RunSpread(0.03)})
    inside, inside_own = [], []
    for of_runs in deviations_of_runs(generator, 0.03):
        ratios = np.exp(generator.normal(0, of_runs / math.sqrt(2), 2))  # deviations of two runs from the true ratio, 1
        first, second, third, fourth = (logs_of(generator, 1.0, 5, 0.013)[0] for _ in range(4))
        second = {f"later {name}": value + math.log(ratios[0]) for name, value in second.items()}
        found = known.compare_unpaired(first, second, runs=known._runs_apart(first, second))
        reported = ratios[1] * math.exp(np.mean(list(fourth.values())) - np.mean(list(third.values())))
        inside.append(found.next_low <= reported <= found.next_high)
        inside_own.append(found.low <= reported <= found.high)
    assert LOWEST <= np.mean(inside) <= 0.98
    assert np.mean(inside_own) < 0.8


def test_as_much_of_what_runs_differ_by_is_in_an_interval_as_two_means_have_not_in_common():
    """The run component of an interval counts only the runs that two means do not share.

    By hand: one mean is over one run, the other over this run and another. They differ by half of the difference of the
    runs.
    """
    baseline = {name: {0: 1.0} for name in "abcdef"}
    first, second, both = ({name: {0: 0.5} for name in names} for names in ("ab", "cd", "efcd"))
    runs = dict.fromkeys("abef", "monday") | dict.fromkeys("cd", "tuesday")
    known = Scatter(priors={HOST: Prior(1e-9, 100)}, runs={HOST: RunSpread(0.03)}, batches=runs)
    halves = [math.log(known.indirect(first, other, baseline).high) for other in (second, both)]
    assert halves == pytest.approx([2.776 * 0.03, 2.776 * 0.03 / 2])
    assert math.log(known.indirect(first, both, baseline).next_high) == pytest.approx(2.776 * 0.03 * math.sqrt(1.25))


@pytest.mark.parametrize("on_one", [True, False], ids=["one instance", "two"])
def test_runs_count_alike_apart_however_many_repetitions_they_have(on_one):
    """By hand: a run of five repetitions at 0 and a run of one at 0.12 are compared with a third run at 0."""
    first = {**dict.fromkeys("abcde", 0.0), "f": 0.12}
    runs = dict.fromkeys("abcde", "monday") | {"f": "tuesday"} | dict.fromkeys("gh", "friday")
    known = Scatter(priors={HOST: Prior(0.01, 4)}, batches=runs)
    second = dict.fromkeys("gh", 0.0)
    if not on_one:
        other = {name: f"{name} there" for name in "abcdefgh"}
        known.batches = runs | {other[name]: f"{run} there" for name, run in runs.items()}
        known.instances = dict.fromkeys(other.values(), "another card")
        first, second = (own | {other[name]: value for name, value in own.items()} for own in (first, second))
    found = known.compare_unpaired(second, first)
    assert found.ratio == pytest.approx(math.exp(0.06))
    shares = {"monday": 0.5, "tuesday": 0.5, "friday": 1.0}
    if on_one:
        assert known._runs_apart(second, first) == pytest.approx(sum(share**2 for share in shares.values()) / 2)


@pytest.mark.parametrize("kind", [HOST, DEVICE])
def test_what_different_instances_did_is_never_divided(kind):
    """`between` and `indirect` never divide times of different instances by each other.

    The second GPU and its host's cores are twice as fast as those of the first. Both cases are equally fast.
    """
    times = {"a": 10, "b": 10.1, "c": 9.9, "d": 5, "e": 5.05, "f": 4.95}
    first = {name: {0: times[name]} for name in "abc"}
    second, baseline = ({name: {0: seconds} for name, seconds in times.items()} for _ in range(2))
    cards = {**dict.fromkeys("abc", "card 1"), **dict.fromkeys("def", "card 2")}
    on_cards = Scatter(instances=cards)
    alone = {name: second[name] for name in "def"}
    assert on_cards.between(first, alone, baseline, kind=kind) == Comparison()
    assert Scatter().between(first, alone, baseline, kind=DEVICE).ratio == pytest.approx(2, rel=0.01)
    shared = {name: second[name] for name in "cdef"}
    assert on_cards.indirect(first, shared, baseline, kind=kind).ratio == pytest.approx(1, rel=0.02)
    paired = on_cards.between(first | {"d": {0: 5}}, second, baseline, kind=kind)
    assert paired.ratio == pytest.approx(1)


def test_what_several_instances_say_apart_is_weighed_one_by_one():
    """Comparisons are made within each instance and then averaged.

    By hand: on either GPU, the second case is 10 % faster. The second GPU is e times as fast as the first. One case was
    measured mostly on one GPU, the other case on the other.
    """
    cards = {
        name: name[0] for side in ("first", "second") for name in (f"{c}{side}{n}" for c in "AB" for n in range(4))
    }
    first = {"Afirst0": 0.0, "Afirst1": 0.0, "Afirst2": 0.0, "Bfirst0": 1.0}
    second = {"Asecond0": 0.1, "Bsecond0": 1.1, "Bsecond1": 1.1, "Bsecond2": 1.1}
    assert Scatter(instances=cards).compare_unpaired(first, second).ratio == pytest.approx(math.exp(0.1))
    assert Scatter().compare_unpaired(first, second).ratio == pytest.approx(math.exp(0.1 + 0.5))


@pytest.mark.parametrize(("count", "most"), [(2, 1), (6, 0.99)])
def test_intervals_apart_hold_what_holds_of_all_instances(count, most):
    """Unpaired intervals cover the mean over all instances.

    On average the second case is twice as fast, with a scatter of 4 % per instance. Instances differ in speed, too.
    """
    generator, inside = np.random.default_rng(15), []
    names = [[f"{card} {side} {n}" for card in range(count) for n in range(5 - card % 2)] for side in "ab"]
    known = Scatter(priors={HOST: Prior(0.013, 4)}, instances={name: name[0] for own in names for name in own})
    for _ in range(TRIALS):
        cards, other = generator.normal(0, 0.3, count), math.log(2) + generator.normal(0, 0.04, count)
        first, second = ({name: cards[int(name[0])] + generator.normal(0, 0.013) for name in own} for own in names)
        found = known.compare_unpaired(
            first, {name: value + other[int(name[0])] for name, value in second.items()}, runs=0
        )
        inside.append(found.low <= 2 <= found.high)
    assert LOWEST <= np.mean(inside) <= most


def test_run_spread_is_of_runs_on_one_instance():
    """Each of two GPUs has two runs. The GPUs differ by 20 %, but runs on the same GPU hardly differ."""
    generator = np.random.default_rng(5)
    pool, batches, instances = [], {}, {}
    for _ in range(200):
        logs = {}
        for card in (0, 1):
            own, of_runs = logs_of(generator, 1.2**card, 5, 0.01, 2, 0.01)
            for name, value in own.items():
                logs[f"{card}.{name}"] = value
                batches[f"{card}.{name}"], instances[f"{card}.{name}"] = f"{of_runs[name]} on {card}", str(card)
        pool.append(logs)
    known = {"virtualised": False, "gpu": False, "batches": batches}
    assert scatter.estimate({HOST: pool}, **known, instances=instances).runs[HOST].deviation < 0.02
    assert scatter.estimate({HOST: pool}, **known).runs[HOST].deviation > 0.1


def test_times_of_a_device_are_not_compared_through_the_baseline():
    """In the later repetitions, the baseline's cores were slower, but the device was not."""
    baseline = {name: {0: t} for name, t in zip("abcdef", (10, 10.1, 9.9, 11, 11.1, 10.9), strict=True)}
    early = {name: {0: t} for name, t in zip("abc", (5, 5.001, 4.999), strict=True)}
    late = {name: {0: t} for name, t in zip("def", (5, 5.001, 4.999), strict=True)}
    assert Scatter().between(early, late, baseline, kind=DEVICE).verdict == SAME
    assert Scatter().between(early, late, baseline, kind=HOST).ratio == pytest.approx(1.1, rel=0.01)


@settings(deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=5, max_size=5))
def test_median_of_five_repetitions_lies_within_the_interval_of_their_mean(values):
    """The median needs no separate interval."""
    found = Scatter().judge(dict(enumerate(values)))
    assert found.low <= math.exp(np.median(values)) <= found.high


some_logs = st.dictionaries(st.sampled_from("abcdef"), st.floats(-9, 9))


@settings(deadline=None)
@given(some_logs)
def test_comparison_is_antisymmetric(logs):
    there, back = (Scatter().judge({name: sign * value for name, value in logs.items()}) for sign in (1, -1))
    if there.ratio is None:
        assert back == Comparison()
        return
    assert there.ratio == pytest.approx(1 / back.ratio)
    assert (there.verdict is None) == (len(logs) < 2)
    if there.verdict in (FASTER, SLOWER):
        assert {there.verdict, back.verdict} == {FASTER, SLOWER}
    if there.low is not None:
        assert there.next_low <= there.low <= there.ratio * (1 + 1e-12)
        assert there.ratio <= there.high * (1 + 1e-12)
        assert there.high <= there.next_high * (1 + 1e-12)
