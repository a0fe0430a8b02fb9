"""Tests of the choice of cases that a repetition measures, which depends on the journals."""

from types import SimpleNamespace

import pytest

from accelbench.measure.todo import STOP_AFTER, Todo


def entry(number, compute_s, kinds=("compute", "throughput")):
    timings = {
        kind: SimpleNamespace(samples_s=[compute_s] * 8, rounds=[1] * 8, loops=1, shared=False) for kind in kinds
    }
    result = SimpleNamespace(timings=timings, long=False, synchronises=False, unseen=False)
    return SimpleNamespace(number=number, outcome="ok", result=result)


def is_missing(entries, number):
    case = SimpleNamespace(id="case")
    journal = SimpleNamespace(valid=lambda case, key, protocol: entries)
    todo = Todo([case], {"case": "key"}, journal=journal, protocol=None, baselines=(), number=number)
    return todo.is_missing(case)


@pytest.mark.parametrize("scatter", [0.001, 0.02])
def test_a_devices_case_rests_once_its_time_is_known(scatter):
    """These scatters give 95 % intervals (Student's t, n = 4) with half widths of 0.18 % and 3.7 %."""
    seconds = [1 - scatter, 1 + scatter, 1 - scatter, 1 + scatter]
    entries = [entry(number, each) for number, each in enumerate(seconds, 1)]
    assert is_missing(entries[: STOP_AFTER - 1], STOP_AFTER)
    assert is_missing(entries, STOP_AFTER + 1) == (scatter == 0.02)
    assert not is_missing(entries, STOP_AFTER)


def test_what_the_host_times_does_not_rest():
    entries = [entry(number, 1.0, ("compute",)) for number in range(1, STOP_AFTER + 1)]
    assert is_missing(entries, STOP_AFTER + 1)
