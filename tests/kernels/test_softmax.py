"""softmax: rows whose shares are known, rows of every length, and what the formula as written makes of the inputs."""

import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA, Runner, parameters

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "softmax")
DTYPES = FOLDER.spec.dtypes
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)
COLUMNS = (1, 2, 3, 4, 7, 33)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return Runner(FOLDER, tmp_path_factory.mktemp("softmax"))


def expected_and_bound(x, dtype):
    options = {"columns": x.shape[1]}
    expected = FOLDER.expected(len(x), dtype, options=options, inputs={"x": x})
    (bound,) = FOLDER.tolerance(len(x), dtype, options=options, inputs={"x": x}, expected=expected)
    return expected[0], bound


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", parameters(FOLDER, (*HOST, "cupy_raw")))
def test_logarithms_of_whole_numbers(run, name, dtype):
    """exp(log(w[j]) + c) / sum = w[j] / sum(w), whatever c: rows of every length, offsets that overflow."""
    for columns, block in itertools.product(COLUMNS, (1, 5) if name in ("cupy_raw", "pyopencl_raw") else (1,)):
        weights = np.random.default_rng(columns).integers(1, 1000, (3, columns))
        x = np.add(np.log(weights), [[0], [1000], [-1000]]).astype(dtype)
        (out,) = run(name, dtype, {"x": x}, block, 3, options={"columns": columns})
        shares = [[float(Fraction(int(w), int(row.sum()))) for w in row] for row in weights]
        assert np.allclose(out, shares, rtol=600 * np.finfo(dtype).eps, atol=0), columns  # x rounds by 256 eps


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_formula_as_written_is_wrong(dtype):
    """It divides infinity by infinity in the second row, and 0 by 0 in the third."""
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
    assert right(totals[:, -2]).mean() < 0.9  # without the last element, which is often too small to tell
    less = np.float32 if dtype == "float64" else np.float16
    assert right(exponentials.astype(less).sum(axis=1)).mean() < 0.1
