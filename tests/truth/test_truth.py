"""The short form of `make truth`: what it counts, and that what is far off is told."""

import math
from types import SimpleNamespace

import cost
import others
import pytest
import slowdowns
import sweeps
from planting import PASSES, plant, print_table, sweep

from accelbench import project
from accelbench.analysis.verdicts import AMBIGUOUS, FASTER, SAME, SLOWER
from accelbench.model.device import Device
from accelbench.store.load import load_results

PROTOCOL = {"repetitions": 3, "budget_s": 0.02, "startup": False}


def decision(true, told, verdict, half=0.01):
    return slowdowns.Decision(true, told, told * math.exp(-half), told * math.exp(half), verdict)


def test_a_twin_that_does_half_as_much_again_is_found_side_by_side_and_between_sweeps(tmp_path):
    layouts, done = [{"numpy_twin00": 150, "numpy_twin01": PASSES}, {"numpy_twin00": PASSES, "numpy_twin01": 150}], []
    for number, passes in enumerate(layouts):
        plant(tmp_path / str(number), passes, sizes=[2000], protocol=PROTOCOL)
        done.append((load_results(sweep(tmp_path / str(number))[1]), passes))
    first = {round(d.true, 2): d for d in slowdowns.side_by_side(*done[0])}
    assert first.keys() == {0.67, 1.0}
    assert first[0.67].verdict == SLOWER
    assert first[0.67].ratio == pytest.approx(2 / 3, rel=0.2)
    told = {round(d.true, 2): d.ratio for d in slowdowns.between(*done)}
    assert told.keys() == {0.67, 1.5}
    assert told[0.67] < 0.85 < 1.2 < told[1.5]


def test_what_is_missed_or_told_falsely_is_no_success():
    planted = [decision(1 / 1.05, 1 / 1.05, SLOWER)] * 9 + [decision(1 / 1.05, 1.0, AMBIGUOUS)]
    same = [decision(1.0, 1.0, SAME)] * 40
    rows = slowdowns.judge("here", planted + same, {5: 0.9})
    assert [row.met for row in rows[:2]] == [True, True]
    assert rows[-1].measured == "98 %"
    missed = slowdowns.judge("here", [*planted, decision(1.05, 1.0, AMBIGUOUS)], {5: 0.9})
    assert missed[0].met is False
    false = slowdowns.judge("here", same + [decision(1.0, 1.05, FASTER)] * 2, {})
    assert false[0].met is False


def test_two_sweeps_of_the_same_thing_are_held_against_what_is_wanted(capsys):
    folder = project.ROOT / "reports" / "examples" / "cpu"
    rows = sweeps.rows(None, SimpleNamespace(folders=[folder, folder]))
    assert [row.measured for row in rows[-2:]] == ["0 %", "0 %"]
    print_table(rows)
    assert capsys.readouterr().out.count("\n") == 3 + len(rows)


def test_the_same_call_takes_as_long_by_another_tool():
    timed = others.Timed("numpy_multiply", 100_000, Device("cpu"))
    ours, theirs = others.by_timeit(timed)
    assert theirs == pytest.approx(ours, rel=0.2)


def test_a_tool_that_is_missing_is_a_row_with_the_reason(monkeypatch):
    monkeypatch.setitem(others.ON_HOST, "timeit", (lambda timed: 1 / 0, "numpy_multiply", True))
    row = others.compare("timeit", 1000, Device("cpu"))
    assert row.met is None
    assert "division by zero" in row.measured


@pytest.mark.slow
def test_cost_is_told_of_each_count(tmp_path, monkeypatch):
    monkeypatch.setattr(cost, "COUNTS", (20, 40))
    rows = cost.rows(tmp_path, SimpleNamespace(count=None))
    assert len(rows) == 11
