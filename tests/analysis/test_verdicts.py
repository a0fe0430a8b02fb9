"""Tests of `overtaking`, which finds the size from which an implementation is faster than the baseline."""

import pytest

from accelbench.analysis import verdicts
from accelbench.analysis.verdicts import AMBIGUOUS, FASTER, SAME, SLOWER


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
