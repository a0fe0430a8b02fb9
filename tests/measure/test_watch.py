"""The watch: what is called a change of the machine, against samples whose truth is known."""

import numpy as np
import pytest

from accelbench.measure import merge, watch
from accelbench.model.machine import StateChange
from accelbench.store import files


def flagged(samples):
    """Whether a problem beside which a reference took these samples is marked noisy."""
    found = watch.shift(samples)
    return found is not None and found > 0.03


@pytest.mark.parametrize("scatter", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("count", [6, 12, 40])
def test_quiet_machine_is_seldom_called_noisy(scatter, count):
    """However much single samples scatter: in one of 200 repetitions with a reference, so that of problems with ten of
    these one of twenty is. A fixed bound of 3 % alone would call nearly all of them so."""
    generator = np.random.default_rng([1, count])
    every = [generator.lognormal(0, scatter, count) for _ in range(200)]
    assert np.mean([flagged(samples) for samples in every]) <= 0.005 + 3 * (0.005 * 0.995 / 200) ** 0.5
    if scatter == 0.2:
        halves = [(np.median(s[count // 2 :]) / np.median(s[: count // 2])) for s in every]
        assert np.mean([abs(ratio - 1) > 0.03 for ratio in halves]) > 0.6


def test_outliers_are_no_change():
    generator = np.random.default_rng(1)
    every = [generator.lognormal(0, 0.01, 30) * np.where(generator.random(30) < 0.15, 3.0, 1.0) for _ in range(200)]
    assert np.mean([flagged(samples) for samples in every]) <= 0.01


@pytest.mark.parametrize("change", ["step", "drift"])
def test_machine_that_changes_is_called_noisy(change):
    generator = np.random.default_rng(2)
    course = {"step": np.where(np.arange(20) < 10, 1.0, 1.1), "drift": np.linspace(1.0, 1.2, 20)}[change]
    every = [course * generator.lognormal(0, 0.02, 20) for _ in range(200)]
    assert np.mean([flagged(samples) for samples in every]) >= 0.9
    assert np.median([watch.shift(samples) for samples in every]) == pytest.approx(0.1, abs=0.02)


@pytest.mark.parametrize(
    ("shifts", "shares", "noisy"),
    [
        ([0.0, 0.0], [(0.02, 0.0), (0.01, 0.05)], False),
        ([0.0, 0.0], [(0.02, 0.0), (0.3, None)], True),  # busy processes of others, in one of two repetitions
        ([], [(0.04, 0.08)], True),  # and of others on the host, where references had too few samples
        ([0.0, 0.04], [(0.0, 0.0)], True),
        ([0.02], [(None, 0.5)], False),  # too short a pass to tell
        ([], [(None, None)], None),
    ],
)
def test_a_problem_is_noisy_by_its_references_or_by_what_others_used(shifts, shares, noisy):
    states = [StateChange(others_share=others, steal_share=steal) for others, steal in shares]
    assert merge.is_noisy(shifts, states) is noisy


def test_too_few_samples_say_nothing():
    assert watch.shift([1.0, 2.0, 1.0, 2.0, 1.0]) is None


def test_a_problem_that_leaves_the_cache_has_the_machines_bandwidth_beside_it(bench):
    """That of copying, as it reads as much as it writes, over arrays that the cache does not hold."""
    machine = files.read_json(bench.results / "machine.json")
    machine["cpu"]["caches"]["L3"] = 1 << 20
    files.write_json(bench.results / "machine.json", machine)
    bench.settings |= {"sizes": [1000, 1_000_000], "peaks": True, "threads": [1]}
    bench.measure()
    values, _ = files.read_lines(bench.journal())
    watched = {value["watched"]["problem"]: value["watched"] for value in values if "watched" in value}
    assert [w["peaks"] for problem, w in watched.items() if problem.endswith("/1000")] == [[]]
    ((peak,),) = [w["peaks"] for problem, w in watched.items() if problem.endswith("/1000000")]
    assert (peak["name"], peak["device"], peak["threads"]) == ("copy", "cpu", 1)
    assert peak["moved_bytes"] >= max(watch.LEAST_BYTES, watch.BEYOND * 2**20) * 0.99
    assert 3 <= len(peak["samples_s"]) == len(set(peak["rounds"])) <= watch.PEAK_ROUNDS
    assert all(1e8 < peak["moved_bytes"] / seconds < 1e12 for seconds in peak["samples_s"]), "no memory is like that"
