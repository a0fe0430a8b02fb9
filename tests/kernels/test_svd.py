"""svd: what the harness does not judge, that vectors are orthogonal and that the product is the matrix."""

from pathlib import Path

import numpy as np
import pytest
from run_implementation import Runner

from accelbench import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "svd")
DTYPES = FOLDER.spec.dtypes
HOST = [n for n, i in FOLDER.implementations.items() if i.backend not in ("cupy", "pycuda", "numba_cuda")]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return Runner(FOLDER, tmp_path_factory.mktemp("svd"))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", HOST)
def test_factors(run, name, dtype):
    for size in (1, 2, 31, 100):
        a = FOLDER.inputs(size, dtype, np.random.default_rng(size), {})["a"]
        u, s, vt = (factor.astype(np.float64) for factor in run(name, dtype, {"a": a}))
        allowed = (32 + size) * np.finfo(dtype).eps
        assert np.abs(u.T @ u - np.eye(size)).max() <= allowed, size
        assert np.abs(vt @ vt.T - np.eye(size)).max() <= allowed, size
        assert np.abs(u * s @ vt - a).max() <= allowed * s[0], size
        assert (np.diff(s) <= 0).all()
        assert (s >= 0).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_known_singular_values(dtype):
    """A rank of one, and a diagonal matrix with its elements out of order."""
    for a, s in (
        (np.full((4, 4), 2.0, dtype), [8, 0, 0, 0]),
        (np.diag(np.array([1, -5, 3, 2], dtype)), [5, 3, 2, 1]),
    ):
        expected = FOLDER.expected(4, dtype, {}, {"a": a})
        _, bound, _ = FOLDER.tolerance(4, dtype, {}, {"a": a}, expected)
        assert (np.abs(expected[1] - s) <= bound).all()
