"""Tests of a race with real workers: which cases leave after two repetitions, and which cases the next run measures."""

import json

import pytest
from bench import BASELINE

from accelbench.analysis.verdicts import SLOWER
from accelbench.cli.estimate import estimate
from accelbench.model.entry import Again
from accelbench.store.journal import KernelJournal

SLOW = '''
"""Doubling with numpy.multiply, {times} times."""

import numpy as np


def run(x, y):
    for _ in range({times}):
        np.multiply(x, 2.0, out=y)
'''

pytestmark = pytest.mark.processes


@pytest.fixture
def race(bench):
    """Return a Bench whose sweep has a case as fast as the baseline and a case that is far slower."""
    bench.write("numpy_again.py", BASELINE)
    bench.write("numpy_slow.py", SLOW.format(times=200))
    bench.settings["protocol"] |= {"repetitions": {"min": 2, "max": 3}, "startup": False}
    return bench


def measured(bench, number):
    """Return the implementations in the journal of the repetition `number`."""
    return sorted(entry["case"].split("/")[1] for entry in bench.entries(number))


def test_a_case_that_is_proven_slower_leaves_and_the_others_go_on(race):
    records = race.measure()
    assert measured(race, 2) == ["numpy_again", "numpy_multiply", "numpy_slow"]
    assert measured(race, 3) == ["numpy_again", "numpy_multiply"]
    assert {name: len(record.repetitions) for name, record in records.items()} == {
        "numpy_again": 3, "numpy_multiply": 3, "numpy_slow": 2
    }  # fmt: skip
    left = {name: record.left for name, record in records.items()}
    assert (left["numpy_slow"].after, left["numpy_slow"].verdict) == (2, SLOWER)
    assert left["numpy_again"] is left["numpy_multiply"] is None
    # A second run measures nothing. If `max` rises, a run measures only cases still in the race.
    own = race.config()
    assert estimate(own.config, [own], [race.results], cores="all")[0].startswith("To measure: nothing")
    race.measure()
    assert [len(race.entries(number)) for number in (1, 2, 3)] == [3, 3, 2]
    race.settings["protocol"]["repetitions"] = {"min": 2, "max": 4}
    assert race.measure()["numpy_slow"].left == left["numpy_slow"]
    assert measured(race, 4) == ["numpy_again", "numpy_multiply"]
    # A repetition whose journal was lost is measured again, with the same cases.
    race.journal(3).unlink()
    race.measure()
    assert measured(race, 3) == ["numpy_again", "numpy_multiply"]
    # Without `min` and `max`, all cases have equally many repetitions: the case that left gets its missing one.
    race.settings["protocol"]["repetitions"] = 3
    records = race.measure()
    assert len(records["numpy_slow"].repetitions) == 3
    assert records["numpy_slow"].left is None


def test_a_changed_source_comes_back_into_the_race(race):
    race.measure()
    race.write("numpy_slow.py", BASELINE)
    record = race.measure()["numpy_slow"]
    assert (len(record.repetitions), record.left) == (3, None)


def test_a_decision_stands_whatever_is_measured_later(race):
    """A case that left stays out, even if another kernel's times scatter more and a new case is faster."""
    race.measure()
    (own,) = [line["run"] for line in lines(race.journal(2)) if "run" in line and "case" not in line]
    other = race.journal(2).with_name("other.2.jsonl")
    other.write_text(json.dumps({"run": own | {"scatter": {"host": [100, 400.0, 1600.0]}}}) + "\n")
    race.write("numpy_third.py", SLOW.format(times=100))
    race.settings["protocol"]["repetitions"] = {"min": 2, "max": 4}
    records = race.measure()
    assert records["numpy_slow"].left.after == 2
    for number in (3, 4):
        assert set(measured(race, number)) == {"numpy_again", "numpy_multiply", "numpy_third"}


def test_what_is_measured_again_is_decided_again(race):
    race.measure()
    journal = KernelJournal(race.results, "doubling")
    assert any("numpy_slow" in case for case, _ in journal.read().decided(2))
    assert journal.measure_again(Again(cases="*/numpy_slow")) == 1
    assert not any("numpy_slow" in case for case, _ in journal.read().decided(2))
    assert race.measure()["numpy_slow"].left.after == 2


def lines(path):
    return map(json.loads, path.read_text().splitlines())
