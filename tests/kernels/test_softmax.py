"""Tests of softmax: known results for rows of several lengths, and failure of the naive formula."""

import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA, parameters

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "softmax")
DTYPES = FOLDER.spec.dtypes
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)
COLUMNS = (1, 2, 3, 4, 7, 33)


def expected_and_bound(x, dtype):
    options = {"columns": x.shape[1]}
    expected = FOLDER.expected(len(x), dtype, options=options, inputs={"x": x})
    (bound,) = FOLDER.tolerance(len(x), dtype, options=options, inputs={"x": x}, expected=expected)
    return expected[0], bound


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", parameters(FOLDER, (*HOST, "cupy_raw")))
def test_logarithms_of_whole_numbers(run, name, dtype):
    """exp(log(w[j]) + c) / sum = w[j] / sum(w) for any c. exp overflows for c = 1000, and is 0 for c = -1000."""
    for columns, block in itertools.product(COLUMNS, (1, 5) if name in ("cupy_raw", "pyopencl_raw") else (1,)):
        weights = np.random.default_rng(columns).integers(1, 1000, (3, columns))
        x = np.add(np.log(weights), [[0], [1000], [-1000]]).astype(dtype)
        (out,) = run(name, dtype, {"x": x}, block, 3, options={"columns": columns})
        shares = [[float(Fraction(int(w), int(row.sum()))) for w in row] for row in weights]
        assert np.allclose(out, shares, rtol=600 * np.finfo(dtype).eps, atol=0), (
            columns
        )  # x has a rounding error of 256 eps


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_formula_as_written_is_wrong(dtype):
    """The formula as written divides infinity by infinity in the second row, and 0 by 0 in the third."""
    x = FOLDER.inputs(3, dtype, rng=np.random.default_rng(1), options={"columns": 1000})["x"]
    expected, bound = expected_and_bound(x, dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        result = np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)
    assert (np.abs(result - expected) <= bound).all(axis=1).tolist() == [True, False, False]


@pytest.mark.parametrize("dtype", DTYPES)
def test_tolerance_admits_left_to_right_sums_alone(dtype):
    x = FOLDER.inputs(99, dtype, rng=np.random.default_rng(2), options={"columns": 1000})["x"]
    expected, bound = expected_and_bound(x, dtype)
    exponentials = np.exp(x - x.max(axis=1, keepdims=True))
    totals = np.cumsum(exponentials, axis=1, dtype=dtype)

    def right(total):
        return (np.abs(exponentials / total[:, np.newaxis] - expected) <= bound).all(axis=1)

    assert right(totals[:, -1]).all()
    # without the last element, which in float32 is often too small to be noticed
    assert right(totals[:, -2]).mean() < 0.9
    less = np.float32 if dtype == "float64" else np.float16
    assert right(exponentials.astype(less).sum(axis=1)).mean() < 0.1


def errors(x, out, dtype):
    """Return (whether all elements are within their tolerances, ratio of the error metric to its bound)."""
    expected, bound = expected_and_bound(x, dtype)
    given = {"options": {"columns": x.shape[1]}, "inputs": {"x": x}, "results": {"out": out}}
    ((error, most),) = FOLDER.error_metrics(len(x), dtype, **given, expected=(expected,)).values()
    return bool((np.abs(out - expected) <= bound).all()), error / most


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", parameters(FOLDER, (*HOST, "cupy_raw")))
def test_equal_shares_are_exact_and_nine_in_ten_errors_small(run, name, dtype):
    for columns in (1, 7, 1000):
        options = {"columns": columns}
        for exact in (True, False):
            inputs = FOLDER.inputs(9, dtype, rng=np.random.default_rng(columns), options=options, exact=exact)
            (out,) = run(name, dtype, inputs, 4, 9, options=options)
            expected = FOLDER.expected(9, dtype, options=options, inputs=inputs)
            given = {"options": options, "inputs": inputs, "expected": expected}
            (bound,) = FOLDER.tolerance(9, dtype, exact=exact, **given)
            assert (np.abs(out - expected[0]) <= bound).all()
            if not exact:
                assert errors(inputs["x"], out, dtype)[1] < 1 / 2


def test_a_term_that_counts_twice_or_never_shows_with_exact_inputs():
    options = {"columns": 1000}
    inputs = FOLDER.inputs(50, "float32", rng=np.random.default_rng(3), options=options, exact=True)
    expected = FOLDER.expected(50, "float32", options=options, inputs=inputs)
    (bound,) = FOLDER.tolerance(50, "float32", options=options, inputs=inputs, expected=expected, exact=True)
    assert (np.abs(expected[0].astype("float32") - expected[0]) <= bound).all()
    terms = np.exp(inputs["x"] - inputs["x"].max(axis=1, keepdims=True))
    largest = terms.max(axis=1, keepdims=True)
    for wrong in (terms.sum(axis=1, keepdims=True) + largest, terms.sum(axis=1, keepdims=True) - largest):
        with np.errstate(divide="ignore", invalid="ignore"):
            assert not (np.abs(terms / wrong - expected[0]) <= bound).all(axis=1).any()


def test_a_coarse_exponential_is_within_the_tolerance_of_the_worst_alone():
    x = FOLDER.inputs(60, "float32", rng=np.random.default_rng(4), options={"columns": 1000})["x"]
    d = x.astype("float64") - x.max(axis=1, keepdims=True)
    coarse = np.exp(d * (1 + 4e-7))
    assert errors(x, expected_and_bound(x, "float32")[0].astype("float32"), "float32") == (
        True,
        pytest.approx(0.02, abs=0.01),
    )
    within, nine_in_ten = errors(x, (coarse / coarse.sum(axis=1, keepdims=True)).astype("float32"), "float32")
    assert within
    assert nine_in_ten > 1
