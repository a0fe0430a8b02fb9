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
    taken = iter([each for pair in seconds for each in pair])
    worker = Worker.__new__(Worker)
    worker._untouched = worker.session = SimpleNamespace(check=lambda *_: None, synchronise=lambda: None)
    clock = SimpleNamespace(once=lambda: (next(taken, 1.0), None), call=SimpleNamespace(bind=lambda _: None))
    worker.problems, worker.handles = {"p": Problem()}, {"c": clock}
    return len(worker.changed(Changed("p", "c", {}, pairs, least)).after_change_s)


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
