"""Tests of pairs of calls, one after a change of the inputs and one without: number of pairs, and their inputs."""

from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from accelbench.rpc.messages import KEEPS_RESULTS, LEAVES_OUT, InputChange, Rows, exceeding
from accelbench.worker.__main__ import Worker


class Problem:
    """Problem with an input x of 16 zeros. A change sets elements to 1. `called` records x at each call."""

    inout, arguments, in_rows = (), (), True

    def __init__(self):
        self.x, self.turned, self.called = np.zeros(16), count(1), []
        self.inputs, self.host = {"x": np.zeros(16)}, {"x": self.x}

    def __getattr__(self, name):
        return lambda *_: ({"y": 1.0}, None) if name == "answer" else None

    def change(self, changes):
        for places, values in changes.values():
            self.x[places] = values


def a_worker(problem, seconds):
    """Return a Worker with the problem as "p" and a clock "c"; seconds() returns the time of the next call."""
    worker = Worker.__new__(Worker)
    worker._tamper_check = worker.session = SimpleNamespace(check=lambda *_: None, synchronise=lambda: None)

    def row(calls, between=None):
        taken = []
        for left in reversed(range(calls)):
            problem.called.append(tuple(problem.x))
            taken.append(seconds())
            if left and between:
                between(left)
        return sum(taken) / calls, None

    clock = SimpleNamespace(row=row, problem=problem, call=SimpleNamespace(bind=lambda _: None))
    worker.problems, worker.handles = {"p": problem}, {"c": clock}
    return worker


def changed(**rows):
    """Return arguments of a request that changes the first element. Each pair of calls changes other elements."""
    changes, turns = {"x": (np.array([0]), np.ones(1))}, {"x": (np.arange(16), np.ones(16))}
    return {"handle": "c", "change": InputChange(changes, turns), "rows": Rows(**rows), "stale": True}


def pairs_made(seconds, pairs, least):
    """Return the number of timed pairs, given (seconds after a change, seconds without a change) of each pair."""
    taken = iter([each for pair in seconds for each in pair])
    worker = a_worker(Problem(), lambda: next(taken, 1.0))
    return len(worker.changed(**changed(pairs=pairs, least=least)).pairs)


HONEST, KEEPING = (1e-3, 1e-3), (1e-3, 1e-5)


@pytest.mark.parametrize(
    ("course", "made"),
    [
        ([HONEST] * 8, 2),  # seven pairs must show a change; after two that do not, only six can
        ([KEEPING] * 8, 8),
        ([KEEPING] * 4 + [HONEST] + [KEEPING] * 3, 8),
        ([KEEPING] * 4 + [HONEST] * 4, 6),
    ],
)
def test_pairs_end_once_so_many_cannot_have_noticed_a_change(course, made):
    assert pairs_made(course, 8, 7) == made


def test_one_that_noticed_nothing_is_enough_where_all_are_wanted():
    assert pairs_made([HONEST] * 3, 3, 3) == 1


ORIGINAL, CHANGED = (0.0,) * 16, (1.0,) + (0.0,) * 15


def test_a_call_after_a_change_never_has_inputs_that_were_there_before():
    """The inputs of a call after a change are always new, even in a second request.

    Otherwise an implementation that caches results by the content of inputs would already have these results.
    """
    problem, new = Problem(), []

    def seconds():
        new.append(problem.called[-1] not in problem.called[:-1])
        return 1e-3 if new[-1] else 1e-5

    worker = a_worker(problem, seconds)
    problem.called.append(ORIGINAL)
    for _ in range(2):
        answer = worker.changed(**changed(pairs=8, least=8))
        assert exceeding(answer.pairs, KEEPS_RESULTS) >= 8
        assert new[:-2] == [True, False] * 8
        new.clear()


def test_rows_with_pauses_and_without_are_of_the_same_inputs():
    problem = Problem()
    answer = a_worker(problem, lambda: 1e-5).changed(**changed(pairs=24, least=20, calls=16))
    assert len(answer.pairs) == 5
    assert len(answer.rows) == 24
    assert problem.called[10:-2] == [ORIGINAL] * 24 * 2 * 16
    assert not exceeding(answer.rows, LEAVES_OUT)
    problem.in_rows = False
    assert not a_worker(problem, lambda: 1e-5).changed(**changed(pairs=24, least=20, calls=16)).rows


@pytest.mark.parametrize("slow_s", [1e-5, 1e-3])
@pytest.mark.parametrize("rows", [{"pairs": 8, "least": 6}, {"pairs": 24, "least": 20, "calls": 16}, {"row": 7}])
def test_outputs_hold_results_of_other_inputs_when_the_checked_call_begins(slow_s, rows):
    problem = Problem()
    a_worker(problem, lambda: slow_s).changed(**changed(**rows))
    assert problem.called[-2:] == [ORIGINAL, CHANGED]
    assert tuple(problem.x) == ORIGINAL
