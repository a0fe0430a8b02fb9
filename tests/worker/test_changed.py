"""Calls after a change of the inputs and after none: how many pairs of them are made."""

from types import SimpleNamespace

import pytest

from accelbench.worker.__main__ import Worker
from accelbench.worker.protocol import Changed


class Problem:
    inout = ()

    def __getattr__(self, name):
        return lambda *_: ({"y": 1.0}, None) if name == "answer" else {}

    arguments = ()


def pairs_made(seconds, pairs, least):
    """How many pairs are timed of calls that take these seconds, after a change and after none."""
    taken = iter([1.0, *(each for pair in seconds for each in pair)])  # the call before them is part of none
    return len(
        a_worker(Problem(), lambda: next(taken, 1.0)).changed(Changed("p", "c", {}, pairs, least)).after_change_s
    )


def a_worker(problem, seconds):
    """A Worker with that problem "p" and a clock "c" whose calls take that."""
    worker = Worker.__new__(Worker)
    worker._untouched = worker.session = SimpleNamespace(check=lambda *_: None, synchronise=lambda: None)
    clock = SimpleNamespace(once=lambda: (seconds(), None), call=SimpleNamespace(bind=lambda _: None))
    worker.problems, worker.handles = {"p": problem}, {"c": clock}
    return worker


HONEST, KEEPING = (1e-3, 1e-3), (1e-3, 1e-5)


@pytest.mark.parametrize(
    ("course", "made"),
    [
        ([HONEST] * 8, 2),  # two that noticed nothing leave six, and seven are wanted
        ([KEEPING] * 8, 8),
        ([KEEPING] * 4 + [HONEST] + [KEEPING] * 3, 8),
        ([KEEPING] * 4 + [HONEST] * 4, 6),
    ],
)
def test_pairs_end_once_so_many_cannot_have_noticed_a_change(course, made):
    assert pairs_made(course, 8, 7) == made


def test_one_that_noticed_nothing_is_enough_where_all_are_wanted():
    assert pairs_made([HONEST] * 3, 3, 3) == 1


class Remembering(Problem):
    """A problem of one value that notes it at each call; these take long after another one than before."""

    def __init__(self, slow_s):
        self.value, self.called, self.slow_s = "original", ["original"], slow_s

    def change(self, changes):
        before, self.value = self.value, changes
        return before

    def call(self):
        self.called.append(self.value)
        return self.slow_s if self.value != self.called[-2] else 1e-5


def test_the_first_pair_follows_a_change_too_though_the_call_before_had_the_same_inputs():
    """Asked again, it began with the inputs that the checked call of the first time had: nothing to notice."""
    problem = Remembering(1e-3)
    worker = a_worker(problem, problem.call)
    for _ in range(2):
        answer = worker.changed(Changed("p", "c", "changed", 8, 8))
        assert len(answer.noticed(8)) == 8
        assert problem.called[-1] == "changed"


@pytest.mark.parametrize("slow_s", [1e-5, 1e-3])
@pytest.mark.parametrize(("pairs", "least"), [(8, 6), (8, 7), (3, 3), (24, 20)])
def test_outputs_hold_results_of_other_inputs_when_the_checked_call_begins(slow_s, pairs, least):
    problem = Remembering(slow_s)
    a_worker(problem, problem.call).changed(Changed("p", "c", "changed", pairs, least, stale=True))
    assert problem.called[-2:] == ["original", "changed"]
    assert problem.value == "original"
