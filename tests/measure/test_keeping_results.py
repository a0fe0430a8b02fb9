"""How sure pairs of calls tell who keeps results on a machine that interrupts some of them, from the binomials."""

from math import comb
from types import SimpleNamespace

import pytest

from accelbench.measure.live import CONFIRMED, SUSPECTED, Live


def accused(noticing, call_s):
    """The chance that a case is called wrong whose pairs of calls each notice a change with that chance."""
    chance = 1.0
    for stage in (SUSPECTED, CONFIRMED):
        pairs, least = Live.pairs_due(SimpleNamespace(call_s=call_s, is_new=True), *stage)
        chance *= sum(comb(pairs, k) * noticing**k * (1 - noticing) ** (pairs - k) for k in range(least, pairs + 1))
    return chance


def test_who_keeps_results_is_found_though_one_pair_in_fifty_is_interrupted():
    assert accused(0.98, call_s=1e-5) > 0.999


@pytest.mark.parametrize("call_s", [1e-5, 0.1])
def test_chance_accuses_nobody_even_where_every_second_call_takes_twice_as_long(call_s):
    """No pair notices a change by chance more often than every second time: its calls are alike then."""
    assert accused(0.25, call_s) < 1e-4
    assert accused(0.5, call_s) < 0.005


def test_who_keeps_results_in_long_calls_is_found():
    assert accused(1.0, call_s=0.1) == 1.0
    assert accused(0.0, call_s=0.3) == 0.0
