"""Comparing results: what counts as right, and which place is named when it is not."""

import numpy as np
import pytest

from accelbench.worker import correctness
from accelbench.worker.correctness import WrongResult, compare


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(correctness, "CHUNK", 7)


def test_the_largest_error_and_its_tolerance():
    expected = np.arange(20.0)
    result = expected.copy()
    result[11] += 0.25
    result[3] -= 0.125
    assert compare("y", result, expected, np.array(0.5)) == (0.25, 0.5)
    bounds = np.linspace(1, 2, 20)
    assert compare("y", result, expected, bounds) == (0.25, bounds[11])


def test_one_element_beyond_its_own_tolerance_is_wrong_though_another_errs_more():
    expected, tolerance = np.zeros((4, 5)), np.full((4, 5), 10.0)
    result = np.zeros((4, 5))
    result[0, 1], result[3, 2], tolerance[3, 2] = 9.0, 0.5, 0.25
    with pytest.raises(WrongResult, match=r"1 of 20 elements differ, the worst at \[3, 2\] is 0.5"):
        compare("y", result, expected, tolerance)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_wrong(value):
    expected = np.ones(9)
    result = expected.copy()
    result[8] = value
    with pytest.raises(WrongResult, match=r"\[8\]"):
        compare("y", result, expected, np.array(1e30))


def test_unless_expected():
    expected = np.array([np.nan, np.inf, -np.inf, 1.0])
    assert compare("y", expected.copy(), expected, np.array(0.0)) == (0.0, 0.0)


def test_integers_are_compared_exactly():
    expected = np.array([0, 255, 7], np.uint8)
    assert compare("mask", expected.copy(), expected, np.array(0)) == (0.0, 0.0)
    with pytest.raises(WrongResult, match="is 0, expected 255"):
        compare("mask", np.array([0, 0, 7], np.uint8), expected, np.array(0))
    big = np.array([2**62], np.int64)
    with pytest.raises(WrongResult):
        compare("n", big + 1, big, np.array(0))


def test_scalars_and_shapes():
    assert compare("s", np.float32(1.5), np.array(1.5), np.array(0.0)) == (0.0, 0.0)
    assert compare("s", np.array([1.5]), np.array(1.5), np.array(0.0)) == (0.0, 0.0)
    assert compare("y", np.empty(0), np.empty(0), np.array(1.0)) == (0.0, 1.0)
    with pytest.raises(WrongResult, match="shape"):
        compare("y", np.zeros(3), np.zeros(4), np.array(1.0))
    with pytest.raises(WrongResult, match="not numbers"):
        compare("y", np.array(["a"]), np.zeros(1), np.array(1.0))
