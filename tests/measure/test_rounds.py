"""Tests of the plan of rounds: cases share rounds with the baseline, and references are spread evenly over rounds."""

import random

import pytest
from pretended_workers import Pretended, case

from accelbench.measure.rounds import PEAK_ROUNDS, WATCH_SAMPLES, planned


@pytest.mark.parametrize("seed", range(5))
def test_rounds_of_the_slower_are_among_those_of_the_faster(seed):
    wanted = {"baseline": 20, "same": 20, "slow": 8, "slowest": 3, "none": 0}
    rounds = planned(wanted, random.Random(seed), watched=4)
    assert [number for number, *_ in rounds] == list(range(1, 21))
    taken = {name: {number for number, cases, *_ in rounds if name in cases} for name in wanted}
    assert {name: len(numbers) for name, numbers in taken.items()} == wanted
    assert taken["slowest"] < taken["slow"] < taken["baseline"] == taken["same"]
    assert taken["slow"] == {number for number, *_, has_peaks in rounds if has_peaks}
    assert len(taken["slow"]) == PEAK_ROUNDS


@pytest.mark.parametrize(
    ("cases", "rounds", "watched", "times"),
    [(2, 8, 4, 4), (2, 20, 4, 4), (40, 20, 4, 20), (10, 20, 4, 12), (2, 3, 4, 3), (2, 64, 20, 20)],
)
def test_references_take_part_often_enough_and_evenly(cases, rounds, watched, times):
    every = planned(dict.fromkeys(range(cases), rounds), random.Random(1), watched=watched)
    numbers = [number for number, _, is_watched, _ in every if is_watched]
    assert len(numbers) == times
    gaps = [b - a for a, b in zip([0, *numbers], [*numbers, rounds + 1], strict=False)]
    assert max(gaps) <= rounds / times + 1


def test_no_case_no_round():
    assert planned({}, random.Random(1), watched=4) == []


def test_a_measured_case_shares_its_rounds_with_its_baseline():
    times = {"numpy_baseline": {"compute": 1e-4}, "numpy_near": {"compute": 1.5e-4}, "python_far": {"compute": 1e-2}}
    bench = Pretended(times=times)
    cases = [case(name) for name in times]
    entries = bench.measure(cases)
    rounds = {
        name: set(entries[each.id].result.timings["compute"].rounds) for name, each in zip(times, cases, strict=True)
    }
    counts = {name: len(numbers) for name, numbers in rounds.items()}
    assert counts == {"numpy_baseline": 20, "numpy_near": 13, "python_far": 3}
    assert rounds["python_far"] < rounds["numpy_near"] < rounds["numpy_baseline"]
    # All samples of a round are taken before the next round begins.
    asked = [who for question, who, _ in bench.asked if question == "sample"]
    begin, first = len(cases), set()  # before the rounds, each case is called once to estimate its time
    for number in range(1, 21):
        active = {each.id for name, each in zip(times, cases, strict=True) if number in rounds[name]}
        assert set(asked[begin : begin + len(active)]) == active
        first.add(asked[begin])
        begin += len(active)
    assert len(first) > 1, "the order within rounds is random"


def test_a_problem_has_twenty_samples_of_each_reference_in_all_repetitions():
    class Watch:
        def __init__(self):
            self.taken = 0
            self.runner = self
            self.alive = True

        def begin(self, cases):
            return [self], []

        def sample(self, number):
            self.taken += 1

        def watched(self, problem, repetition):
            return None

    for repetitions, rounds in ((5, 8), (3, 10)):
        bench, watch = Pretended(repetitions=repetitions, budget_s=0.004 * rounds), Watch()
        for number in range(1, repetitions + 1):
            bench.measure([case("numpy_baseline"), case("numba_other")], number, watch)
        assert watch.taken >= WATCH_SAMPLES


def test_a_call_that_others_made_slow_after_a_change_keeps_no_results():
    """A single slow call after a change of the inputs does not prove that results were cached.

    While other cases are checked concurrently, sleeping OpenMP threads may have to wait for a core.
    """
    bench = Pretended(repetitions=1, slow_after_changes={"numba_disturbed": 1, "numpy_keeps": 3})
    cases = [case(name) for name in ("numpy_baseline", "numba_disturbed", "numpy_keeps")]
    measured = bench.measure(cases)
    entries = [measured[each.id] for each in cases]
    assert [each.outcome for each in entries] == ["ok", "ok", "wrong_result"]
    assert "reuses results of earlier calls" in entries[2].reason
