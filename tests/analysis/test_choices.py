"""Choices among cases: the best parameters, winners and ties, overtaking."""

import math

import numpy as np
import pytest
from synthetic_records import repetition_samples

from accelbench.analysis import verdicts
from accelbench.analysis.verdicts import AMBIGUOUS, FASTER, SAME, SLOWER


def rounds_of(samples, first=0):
    return {repetition: (own, list(range(first, first + len(own)))) for repetition, own in samples.items()}


def test_best_of_many_equal_block_sizes_is_not_reported_too_fast():
    generator = np.random.default_rng(3)
    reported, naive, ties = [], [], []
    for _ in range(150):
        samples = {block: repetition_samples(generator, 1.0, 3, between=0, within=0.1, count=20) for block in range(12)}
        choice = verdicts.choose({block: rounds_of(own) for block, own in samples.items()})
        assert choice.held_out
        reported.append(np.mean([math.log(t) for t in choice.times[choice.best].values()]))
        naive.append(min(np.mean([math.log(np.median(s)) for s in own.values()]) for own in samples.values()))
        ties.append(len(choice.tie))
    # The standard error of the reported mean: a median of 10 samples has 0.1 * 1.25 / sqrt(10), over 3 repetitions.
    error = 0.1 * 1.25 / math.sqrt(10 * 3 * 150)
    assert abs(np.mean(reported)) < 4 * error
    assert np.mean(naive) < -6 * error
    assert np.mean(ties) > 10


def test_best_is_chosen_on_even_rounds_and_reported_from_odd_ones():
    slow_even = {"a": ([3.0, 1.0, 3.0, 1.0], [0, 1, 2, 3]), "b": ([3.1, 1.0], [4, 5])}
    slow_odd = {"a": ([2.0, 5.0, 2.0, 5.0], [0, 1, 2, 3]), "b": ([5.1, 2.1], [7, 8])}
    choice = verdicts.choose({64: slow_even, 256: slow_odd})
    assert choice.best == 256
    assert choice.held_out
    assert choice.times == {64: {"a": 1.0, "b": 1.0}, 256: {"a": 5.0, "b": 5.1}}
    assert choice.tie == (256, 64)  # nothing says that 256 is the faster one


def test_best_separates_and_ties():
    fast, also, slow = ({s: ([t] * 4, [0, 1, 2, 3]) for s, t in zip("abc", ts, strict=True)} for ts in FAST_ALSO_SLOW)
    choice = verdicts.choose({"slow": slow, "also": also, "fast": fast})
    assert (choice.best, choice.tie) == ("fast", ("fast", "also"))


FAST_ALSO_SLOW = ((1.0, 1.1, 1.2), (1.01, 1.10, 1.21), (1.5, 1.6, 1.8))


def test_best_of_too_few_samples_to_halve_uses_all_for_both():
    one_each = {"a": ([1.0], [0]), "b": ([1.0], [1])}
    choice = verdicts.choose({1: one_each, 2: {"a": ([2.0], [0]), "b": ([2.0], [1])}})
    assert (choice.best, choice.held_out) == (1, False)
    assert choice.times[2] == {"a": 2.0, "b": 2.0}
    assert verdicts.choose({}) is None
    assert verdicts.choose({1: {"a": ([], [])}}) is None


def test_best_of_one_process_has_no_tie_and_wins_nothing():
    quick, slow = {"a": ([1.0] * 4, [0, 1, 2, 3])}, {"a": ([9.0] * 4, [0, 1, 2, 3])}
    choice = verdicts.choose({"slow": slow, "quick": quick})
    assert (choice.best, choice.tie) == ("quick", ())
    assert verdicts.choose({"quick": quick}).tie == ()
    winner = verdicts.find_winner({"slow": {"a": 9.0}, "quick": {"a": 1.0}})
    assert winner == ("one_process", "quick", (), (), ())
    assert verdicts.find_winner({}) == ("no_result", None, (), (), ())


def test_best_is_not_shadowed_by_parameters_seen_in_one_repetition():
    once = {"a": ([0.1] * 4, [0, 1, 2, 3])}
    often = {repetition: ([1.0] * 4, [0, 1, 2, 3]) for repetition in "abc"}
    choice = verdicts.choose({"once": once, "often": often})
    assert (choice.best, choice.tie) == ("often", ("often",))


def test_winner_tie_and_what_cannot_be_compared():
    fast, also, slow = (dict(zip("abc", ts, strict=True)) for ts in FAST_ALSO_SLOW)
    winner = verdicts.find_winner({"slow": slow, "fast": fast})
    assert winner == ("winner", "fast", ("fast",), (), ())
    once = {"a": 0.001}
    winner = verdicts.find_winner({"once": once, "slow": slow, "also": also, "fast": fast})
    assert winner == ("tie", "fast", ("fast", "also"), (), ("once",))


def test_tie_is_not_had_by_scattering():
    fast, also, slow = (dict(zip("abc", ts, strict=True)) for ts in FAST_ALSO_SLOW)
    wild = {"a": 1.0, "b": 4.0, "c": 60.0}  # five times as slow as the fastest, and its interval includes 1
    winner = verdicts.find_winner({"wild": wild, "slow": slow, "also": also, "fast": fast})
    assert verdicts.compare(wild, fast).verdict == "AMBIGUOUS"
    assert winner == ("tie", "fast", ("fast", "also"), ("wild",), ())
    assert verdicts.find_winner({"wild": wild, "slow": slow, "fast": fast})[:4] == (
        "winner",
        "fast",
        ("fast",),
        ("wild",),
    )
    assert verdicts.find_winner({"wild": wild, "fast": fast})[:3] == ("tie", "fast", ("fast", "wild"))
    blocks = {name: {s: ([t] * 4, [0, 1, 2, 3]) for s, t in own.items()} for name, own in
              {"wild": wild, "slow": slow, "also": also, "fast": fast}.items()}  # fmt: skip
    assert verdicts.choose(blocks).tie == ("fast", "also")


def test_winner_among_later_repetitions_is_found_through_the_baseline():
    baseline = dict(zip("abcdef", (10, 10.1, 9.9, 20, 20.1, 19.9), strict=True))
    early = dict(zip("abc", (5, 5.04, 4.96), strict=True))  # twice as fast as the baseline
    late = dict(zip("def", (5, 5.04, 4.96), strict=True))  # four times, though the times are the same
    assert verdicts.find_winner({"early": early, "late": late}, baseline)[:3] == ("winner", "late", ("late",))
    stranger = {"x": 0.1, "y": 0.1}
    winner = verdicts.find_winner({"early": early, "late": late, "stranger": stranger}, baseline)
    assert (winner.fastest, winner.incomparable) == ("late", ("stranger",))


@pytest.mark.parametrize(
    ("by_size", "expected"),
    [
        ({10: FASTER, 100: FASTER}, ("always", None, 10, (10, 100))),
        ({10: SLOWER, 100: AMBIGUOUS}, ("never", 100, None, ())),
        ({1000: FASTER, 10: SLOWER, 100: SAME, 10000: FASTER}, ("from", 100, 1000, (1000, 10000))),
        ({10: FASTER, 100: SLOWER, 1000: FASTER}, ("from", 100, 1000, (10, 1000))),
        ({10: FASTER, 100: FASTER, 1000: SLOWER}, ("sometimes", 1000, None, (10, 100))),
        ({10: SLOWER, 100: None, 1000: FASTER, 10000: None}, ("from", 10, 1000, (1000,))),
        ({10: None}, (None, None, None, ())),
        ({}, (None, None, None, ())),
    ],
)
def test_overtaking(by_size, expected):
    assert verdicts.overtaking(by_size) == expected
