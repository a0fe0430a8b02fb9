"""Tests of the detection of cached results: error rates by binomial distributions, and which cases are checked.

A pair consists of a call after a change of the inputs and a call without a change.
"""

from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from math import comb
from types import SimpleNamespace

import pytest
from pretended_workers import PROBLEM, Pretended, case

from accelbench.measure import case_state
from accelbench.measure.case_state import CaseState
from accelbench.measure.repetition import Repetition
from accelbench.rpc.messages import ChangedCallResult, Rows
from accelbench.rpc.process import Failed


def accused(noticing, call_s):
    """Return the probability of rejecting a case. Each of its pairs shows a change with the probability `noticing`."""
    chance = 1.0
    for stage in (False, True):
        rows = CaseState.rows_due(SimpleNamespace(call_s=call_s, keeping=True), stage)
        pairs, least = rows.pairs, rows.least
        chance *= sum(comb(pairs, k) * noticing**k * (1 - noticing) ** (pairs - k) for k in range(least, pairs + 1))
    return chance


def test_who_keeps_results_is_found_though_one_pair_in_fifty_is_interrupted():
    assert accused(0.98, call_s=1e-5) > 0.999


@pytest.mark.parametrize("call_s", [1e-5, 0.1])
def test_chance_accuses_nobody_even_where_every_second_call_takes_twice_as_long(call_s):
    """If a change does not affect the time of calls, at most every second pair shows a change, by chance."""
    assert accused(0.25, call_s) < 1e-4
    assert accused(0.5, call_s) < 0.005


def test_who_keeps_results_in_long_calls_is_found():
    assert accused(1.0, call_s=0.1) == 1.0
    assert accused(0.0, call_s=0.3) == 0.0


def test_one_case_of_an_implementation_on_a_device_tells():
    """One random case of each implementation is checked, in one repetition only.

    The smallest problem is left out, as its calls may be too short.
    """
    bench, drawn = Pretended(), Counter()
    cases = [
        case(name, problem=replace(PROBLEM, size=size))
        for name in ("numpy_multiply", "numpy_add")
        for size in (10, 1000, 100_000)
    ]
    for _ in range(100):
        bench.predictor.checked.clear()
        found = [live.case for live in case_state.case_states(bench, cases) if live.keeping]
        assert sorted(each.implementation for each in found) == ["numpy_add", "numpy_multiply"]
        drawn.update((each.implementation, each.size) for each in found)
        bench.predictor.checked.update(each.checked_as for each in found)
        assert not any(live.keeping for live in case_state.case_states(bench, cases))
    assert set(drawn) == {(name, size) for name in ("numpy_multiply", "numpy_add") for size in (1000, 100_000)}


@pytest.mark.parametrize(("call_s", "most"), [(1e-6, 16), (2e-5, 5), (1e-3, 2), (0.01, 2)])
def test_the_checked_call_is_any_of_a_row(call_s, most):
    asked = SimpleNamespace(call_s=call_s, keeping=True)
    assert {CaseState.rows_due(asked).row for _ in range(200)} == set(range(1, most + 1))


@pytest.mark.parametrize(("interrupted", "found"), [(0, True), (11, True), (12, False)])
def test_who_skips_calls_is_found_though_a_busy_machine_interrupts_many_rows(interrupted, found):
    """An interrupted row of calls without pauses takes about as long as one with pauses, so the pair shows nothing."""
    rows = [(1e-4, 1e-4)] * interrupted + [(1e-4, 7e-6)] * (24 - interrupted)
    called = ChangedCallResult(1e-4, False, {}, None, [(1e-4, 1e-4)] * 5, rows)
    repetition = SimpleNamespace(_step=lambda name: nullcontext(), _called_changed=lambda *_, **__: called)
    state = SimpleNamespace(rows_due=lambda confirming: Rows(pairs=24, least=20, calls=16))
    with pytest.raises(Failed, match="skips calls") if found else nullcontext():
        Repetition._confirm(repetition, state, None, None)


def test_a_call_that_takes_longer_alone_is_suspected_and_asked_for_rows():
    """A case on the host is suspected if a single call takes over 4 times as long as in a loop, and over 5 us longer.

    A factor of two proves nothing: for example, sorting the same numbers again takes half the time.
    """
    pretended = SimpleNamespace(call_s=1e-5, keeping=True, on_host=True, in_a_row_s=1e-5)
    pretended.rows_due = partial(CaseState.rows_due, pretended)
    for alone, suspected in ((3e-5, False), (5e-5, True)):
        called = ChangedCallResult(alone, False, {}, None, [(alone, alone)] * 8, [])
        assert CaseState.suspects(pretended, called) == suspected
    assert (CaseState.rows_due(pretended).calls, CaseState.rows_due(pretended, True).calls) == (0, 16)
    pretended.on_host = False
    assert not CaseState.suspects(pretended, called)
