"""Tests of svd: orthogonality and product of the factors. The kernel's error metrics detect wrong factors."""

from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA

from accelbench.errors import WrongResult
from accelbench.kernels import catalog
from accelbench.verify.comparison import within

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "svd")
DTYPES = FOLDER.spec.dtypes
HOST = [n for n, i in FOLDER.implementations.items() if i.backend not in CUDA]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", HOST)
def test_factors(run, name, dtype):
    for size in (1, 2, 31, 100):
        a = FOLDER.inputs(size, dtype, rng=np.random.default_rng(size), options={})["a"]
        u, s, vt = (factor.astype(np.float64) for factor in run(name, dtype, {"a": a}))
        allowed = (32 + size) * np.finfo(dtype).eps
        assert np.abs(u.T @ u - np.eye(size)).max() <= allowed, size
        assert np.abs(vt @ vt.T - np.eye(size)).max() <= allowed, size
        assert np.abs(u * s @ vt - a).max() <= allowed * s[0], size
        assert (np.diff(s) <= 0).all()
        assert (s >= 0).all()


def flipped(u, s, vt):
    """Change the sign of a left singular vector."""
    u[:, 3] *= -1


def swapped(u, s, vt):
    """Swap the right singular vectors of two singular values."""
    vt[[3, 9]] = vt[[9, 3]]


def slanted(u, s, vt):
    """Make two left singular vectors slightly non-orthogonal. Compensate in one right singular vector."""
    u[:, 1] += 0.1 * u[:, 0]
    vt[0] -= 0.1 * s[1] / s[0] * vt[1]


def stretched(u, s, vt):
    """Make a left singular vector too long, and its right singular vector too short."""
    u[:, 2] *= 1.1
    vt[2] /= 1.1


def transposed(u, s, vt):
    """Transpose vt, as if it were v."""
    vt[...] = vt.T.copy()


@pytest.mark.parametrize(
    ("plant", "message"),
    [
        (flipped, r"u diag\(s\) vt - a"),
        (swapped, r"u diag\(s\) vt - a"),
        (slanted, "u'u - 1"),
        (stretched, "u'u - 1"),
        (transposed, r"u diag\(s\) vt - a"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
@pytest.mark.parametrize("dtype", DTYPES)
def test_wrong_vectors_are_found(plant, message, dtype):
    """Error metrics detect wrong vectors, although all elements and singular values are within their tolerances."""
    a = FOLDER.inputs(50, dtype, rng=np.random.default_rng(1), options={})["a"]
    factors = dict(zip(("u", "s", "vt"), np.linalg.svd(a), strict=True))
    errors = FOLDER.error_metrics(50, dtype, options={}, inputs={"a": a}, results=factors, expected=(None,))
    assert within(errors).keys() == {"u'u - 1", "vt vt' - 1", "u diag(s) vt - a"}
    plant(**factors)
    assert all(np.abs(factors[name]).max() <= 1 for name in ("u", "vt"))
    with pytest.raises(WrongResult, match=f"^{message}"):
        within(FOLDER.error_metrics(50, dtype, options={}, inputs={"a": a}, results=factors, expected=(None,)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_known_singular_values(dtype):
    for a, s in (
        (np.full((4, 4), 2.0, dtype), [8, 0, 0, 0]),
        (np.diag(np.array([1, -5, 3, 2], dtype)), [5, 3, 2, 1]),
    ):
        expected = FOLDER.expected(4, dtype, options={}, inputs={"a": a})
        _, bound, _ = FOLDER.tolerance(4, dtype, options={}, inputs={"a": a}, expected=expected)
        assert (np.abs(expected[1] - s) <= bound).all()
