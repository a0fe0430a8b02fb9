"""Tests of softplus: values for which log(1 + exp(x)) fails as written, and one source for two backends."""

import decimal
from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "softplus")
DTYPES = FOLDER.spec.dtypes
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)
HARD = (-1000, -100, -40, -20, -1, 0, 1, 20, 40, 100, 1000)


def error_metrics(x, dtype, result):
    """Return a mask of the elements of a result that are within the tolerance."""
    expected = FOLDER.expected(x.size, dtype, options={}, inputs={"x": x})
    (bound,) = FOLDER.tolerance(x.size, dtype, options={}, inputs={"x": x}, expected=expected)
    return np.abs(np.asarray(result, np.float64) - expected[0]) <= bound


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", HOST)
def test_hard_values(run, name, dtype):
    x = np.array(HARD, dtype)
    (out,) = run(name, dtype, {"x": x}, 4)
    with decimal.localcontext(prec=500):
        exact = [float((1 + decimal.Decimal(number).exp()).ln()) for number in HARD]
    assert np.allclose(out, exact, rtol=9 * np.finfo(dtype).eps, atol=np.finfo(dtype).smallest_normal)
    assert error_metrics(x, dtype, out).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_formula_as_written_is_wrong(dtype):
    """At every size, log(1 + exp(x)) overflows in the first element, also with log1p."""
    for size in (1, 2, 1000):
        x = FOLDER.inputs(size, dtype, rng=np.random.default_rng(1), options={})["x"]
        with np.errstate(over="ignore"):
            assert not error_metrics(x, dtype, np.log(1 + np.exp(x))).all()
            assert not error_metrics(x, dtype, np.log1p(np.exp(x))).all()


def test_one_text_serves_numpy_and_cupy():
    numpy, cupy = (FOLDER.implementations[f"{backend}_agnostic"] for backend in ("numpy", "cupy"))
    assert (numpy.backend, cupy.backend) == ("numpy", "cupy")
    assert cupy.path.samefile(numpy.path)
