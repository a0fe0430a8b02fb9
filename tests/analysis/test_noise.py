"""Tests of the detection of changes of the machine during a sweep, on simulated samples with known changes."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from pretended_results import record, save
from read_results import write_tables

from accelbench.analysis import noise
from accelbench.measure.rounds import WATCH_SAMPLES
from accelbench.model.entry import TimedSamples
from accelbench.model.machine import StateChange
from accelbench.model.names import PROTOCOL_VERSION
from accelbench.model.watched import PeakSamples, WatchedProblem

REFERENCES = 4  # usual maximum number of reference cases of a problem: two with data in a cache, two peaks
ALPHA = noise.FALSE_ALARMS / REFERENCES
NAMED = "numpy_sum/float64/100000"


def flagged(repetitions, false_alarms=ALPHA):
    """Return whether `repetitions`, the samples of a reference case, mark its problem as noisy."""
    found = noise.shift(repetitions, false_alarms)
    return found is not None and found > noise.NOISE


def quiet(generator, repetitions, each, scatter=0.01):
    return generator.lognormal(0, scatter, (repetitions, each))


@pytest.mark.parametrize("scatter", [0.01, 0.05, 0.2])
@pytest.mark.parametrize(("repetitions", "each"), [(1, 20), (5, 4), (5, 8), (5, 20)])
def test_quiet_machine_is_seldom_called_noisy(repetitions, each, scatter):
    """A fixed bound of 3 % would call most samples with a scatter of 20 % noisy."""
    generator = np.random.default_rng([1, each])
    every = [quiet(generator, repetitions, each, scatter) for _ in range(400)]
    assert np.mean([flagged(samples) for samples in every]) <= ALPHA + 3 * (ALPHA * (1 - ALPHA) / 400) ** 0.5
    if scatter == 0.2:
        medians = [np.median(samples.reshape(max(2, repetitions), -1), axis=1) for samples in every]
        assert np.mean([m.max() / m.min() > 1.03 for m in medians]) > 0.6


def test_of_all_of_a_problems_references_one_in_twenty_problems_is():
    generator = np.random.default_rng(3)

    def problem():
        every = [quiet(generator, REFERENCES, 4, 0.1) for _ in range(5)]
        return [
            WatchedProblem(
                problem="p",
                repetition=f"r{number}",
                references={
                    f"peak_read/{i}/cpu": TimedSamples(samples_s=s, rounds=[1] * 4, loops=1)
                    for i, s in enumerate(taken)
                },
            )
            for number, taken in enumerate(every)
        ]

    found = [noise.of_problem(problem(), {}) for _ in range(300)]
    assert (
        np.mean([shift is not None and shift > noise.NOISE for shift in found]) <= 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5
    )


def test_a_processes_luck_within_three_percent_is_no_change():
    """The time to read the same array differs from process to process, even if single samples scatter little."""
    generator = np.random.default_rng(4)
    every = [generator.uniform(1, 1.025, (5, 1)) * quiet(generator, 5, 4, 0.001) for _ in range(200)]
    assert not any(flagged(samples) for samples in every)


def test_outliers_are_no_change():
    generator = np.random.default_rng(1)
    every = [quiet(generator, 5, 6) * np.where(generator.random((5, 6)) < 0.15, 3.0, 1.0) for _ in range(200)]
    assert np.mean([flagged(samples) for samples in every]) <= ALPHA + 3 * (ALPHA / 200) ** 0.5


@pytest.mark.parametrize("disturbed", [[4], [0], [2], [3, 4], [1, 2]])
def test_repetitions_that_take_twice_as_long_are_found_by_twenty_samples(disturbed):
    generator = np.random.default_rng(5)
    every = [quiet(generator, 5, WATCH_SAMPLES // 5, 0.05) for _ in range(40)]
    for samples in every:
        samples[disturbed] *= 2
    assert np.mean([flagged(samples) for samples in every]) >= 0.95
    assert np.median([noise.shift(samples, ALPHA) for samples in every]) == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("drift", [0.005, 0.01, 0.02])
def test_a_small_drift_hides_no_repetition_that_took_twice_as_long(drift):
    """A test on ranks would fail: two slightly faster repetitions differ more in rank than one slow repetition."""
    generator = np.random.default_rng(6)
    every = [quiet(generator, 5, WATCH_SAMPLES // 5, 0.005) for _ in range(100)]
    for samples in every:
        samples[:2] *= 1 - drift
    assert not np.mean([flagged(samples) for samples in every]) > 0.05  # the drift alone is no change
    for samples in every:
        samples[4] *= 2
    assert np.mean([flagged(samples) for samples in every]) >= 0.95


@pytest.mark.parametrize("change", ["step", "drift"])
def test_a_change_within_a_single_repetition_is_found(change):
    generator = np.random.default_rng(2)
    course = {"step": np.where(np.arange(20) < 10, 1.0, 1.1), "drift": np.linspace(1.0, 1.2, 20)}[change]
    every = [course * quiet(generator, 1, 20, 0.02) for _ in range(200)]
    assert np.mean([flagged(samples) for samples in every]) >= 0.9
    assert np.median([noise.shift(samples, ALPHA) for samples in every]) == pytest.approx(0.1, abs=0.02)


@pytest.mark.parametrize("sizes", [[8], [4, 4], [2] * 5, [10], [12], [4] * 5, [1] * 5, [8] * 3])
def test_either_the_clearest_change_is_found_or_nothing_is_said(sizes):
    """`shift` returns the largest change, or None if chance explains the change. It never returns 0 for a change."""
    halves = [part for size in sizes for part in ([size // 2] * 2 if size >= 2 * noise.HALF else [size])]
    first = sum(halves[: len(halves) // 2])
    course = np.where(np.arange(sum(sizes)) < first, 2.0, 1.0) * (1 + 1e-6 * np.arange(sum(sizes)))
    found = noise.shift(np.split(course, np.cumsum(sizes)[:-1]), ALPHA)
    assert found is None or found == pytest.approx(1.0, rel=1e-3)
    assert (found is None) == (sum(sizes) <= 10 and sizes != [10])


def test_nothing_is_told_of_nothing():
    assert noise.shift([]) is None
    assert noise.shift([[1.0]]) is None
    assert noise.of_problem([], {}) is None


def test_peaks_are_references_and_other_runs_are_not_held_against_each_other():
    def watched(number, seconds):
        samples = [seconds * (1 + 1e-4 * each) for each in range(8)]
        peak = PeakSamples(
            name="copy", device="GPU", threads=None, moved_bytes=1, samples_s=samples, rounds=[1] * 8, loops=1
        )
        return WatchedProblem(problem="p", repetition=f"r{number}", peaks=[peak])

    sweep = [watched(number, 1.0 if number < 3 else 1.5) for number in range(5)]
    assert noise.of_problem(sweep, {}, "GPU") == pytest.approx(0.5, abs=0.01)
    assert noise.of_problem(sweep, {f"r{n}": "one" if n < 3 else "another" for n in range(5)}, "GPU") == 0.0
    assert noise.of_problem(sweep, {}) is None  # a GPU does not show changes of the host's cores


def test_a_device_is_judged_by_its_own_references():
    """On the host of an H200, references on the cores changed by 60 %, while a copy on the GPU changed by 0.2 %."""

    def watched(number):
        def taken(seconds):
            return TimedSamples(
                samples_s=[seconds * (1 + 1e-4 * each) for each in range(8)], rounds=list(range(8)), loops=1
            )

        cores, card = f"peak_read/{NAMED}/cpu/threads=1", f"peak_copy/{NAMED}/nvidia-h200"
        references = {cores: taken(1.0 if number < 3 else 1.6), card: taken(1.0)}
        return WatchedProblem(problem="p", repetition=f"r{number}", references=references)

    sweep = [watched(number) for number in range(5)]
    assert noise.of_problem(sweep, {}) == pytest.approx(0.6, abs=0.01)
    assert noise.of_problem(sweep, {}, "NVIDIA H200") == 0.0


@pytest.mark.parametrize(
    ("shifts", "states", "noisy"),
    [
        ([0.0, 0.0], [(0.02, 0.0, 0.9), (0.01, 0.05, 0.9)], False),
        ([0.0, 0.0], [(0.02, 0.0, 0.9), (0.3, None, 0.9)], True),  # processes of other users in one of two repetitions
        ([], [(0.04, 0.08, 0.92)], True),  # other virtual machines; no shift known, as references had too few samples
        ([], [(0.04, 0.4, 0.06)], False),  # 40 % of the demand was stolen, but only 4 % of the CPU time
        ([], [(0.0, 1.0, 0.0)], True),
        ([0.0, 0.04], [(0.0, 0.0, 0.9)], True),
        ([0.02], [(None, 0.5, 0.9)], False),  # the run was too short to measure other processes
        ([], [(None, None, None)], None),
    ],
)
def test_a_problem_is_noisy_by_its_references_or_by_what_others_used(shifts, states, noisy):
    names = ("others_share", "steal_share", "busy_share")
    assert noise.is_noisy(shifts, [StateChange(**dict(zip(names, state, strict=True))) for state in states]) is noisy


RUNS = ("10:00", ["a1", "a2", "a3", "a4", "a5"]), ("11:30", ["b1", "b2", "b3", "b4", "b5"])


@pytest.fixture
def told(tmp_path):
    """Return a function that returns (noisy, reference_shift) of a case measured in two runs 90 minutes apart.

    Its argument is the slowdown of the reference case in each of the ten repetitions. The case's record contains the
    opposite value of `noisy`, so the test fails if the table copies this value.
    """

    def say(slower):
        names, runs, watched = [*itertools.chain(*(own for _, own in RUNS))], [], []
        for number, (at, own) in enumerate(RUNS):
            runs.append(
                {
                    **{"started": f"2026-01-01T{at}:00+00:00", "wall_s": 60.0, "in_samples_s": 1.0, "cases": 1},
                    **{"command": "", "commit": None, "dirty": None, "config": {}, "repetitions": own},
                    **{"protocol_version": PROTOCOL_VERSION},
                    **{"run": f"run{number}", "instance": "one"},
                }
            )
        for name, by in zip(names, slower, strict=True):
            samples = [1e-3 * (1 + by) * (1 + 1e-4 * each) for each in range(4)]
            taken = {"samples_s": samples, "rounds": [1, 2, 3, 4], "loops": 1}
            references = {f"peak_read/{NAMED}/cpu/threads=1": taken}
            watched.append({"problem": "thing/float64/1000", "repetition": name, "references": references})
        own = record("numpy_thing", compute=(1.0,) * len(names), repetitions=names, noisy=max(slower) < 0.06)
        folder = save(tmp_path, own, kernels={"thing": {"runs": runs, "watched": watched}})
        (row,) = write_tables(folder)["timings"].to_dict("records")
        return row["noisy"], row["reference_shift"]

    return say


def test_two_quiet_runs_five_percent_apart_are_not_noisy(told):
    assert told([0.0] * 5 + [0.05] * 5) == (False, 0.0)


def test_a_run_whose_references_scatter_is_noisy_beside_a_quiet_one(told):
    noisy, shift = told([0.0] * 5 + [0.0, 0.5, 0.0, 0.6, 0.5])
    assert (noisy, shift) == (True, pytest.approx(0.5, abs=0.1))


@pytest.mark.parametrize(
    ("seconds", "faster"),
    [
        ([1.0], None),
        ([1.0, 0.9, 1.1], False),
        ([3.5, 1.0, 1.1, 0.9], True),
        ([3.5, 3.5, 1.0], True),
        ([3.5, 1.0, 1.0, 3.4], False),  # disturbed twice
        ([1.0, 1.0, 3.5], False),
    ],
)
def test_a_case_that_is_much_faster_in_all_later_repetitions_is_told(seconds, faster):
    """A case that is much faster in all later repetitions is flagged, as it may keep results between processes."""
    samples = {f"r{number}": {1: s, 2: 2 * s, 3: s} for number, s in enumerate(seconds)}
    assert noise.is_faster_later(SimpleNamespace(samples=lambda kind: samples)) is faster


@pytest.mark.parametrize(
    ("slope", "scatter", "repetitions", "drifts"),
    [
        (0.1, 0.01, 5, True),  # the last third of the rounds takes a tenth longer than the first third
        (-0.1, 0.01, 5, True),
        (0.0, 0.01, 5, False),
        (0.01, 0.001, 5, False),  # significant, but too small to matter
        (0.0, 0.3, 5, False),
        (0.1, 0.01, 1, None),
    ],
)
def test_a_case_that_drifts_within_its_repetitions_is_told(slope, scatter, repetitions, drifts):
    generator = np.random.default_rng(3)
    times = np.exp(slope * np.linspace(0, 1.5, 12) + scatter * generator.normal(size=(repetitions, 12)))
    samples = {f"r{number}": dict(enumerate(rounds)) for number, rounds in enumerate(times.tolist())}
    assert noise.drifts(SimpleNamespace(samples=lambda kind: samples)) is drifts


def test_three_rounds_tell_no_drift():
    samples = {f"r{number}": {1: 1.0, 2: 1.1, 3: 1.2} for number in range(5)}
    assert noise.drifts(SimpleNamespace(samples=lambda kind: samples)) is None
