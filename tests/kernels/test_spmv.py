"""Tests of spmv: CUDA kernels on the host with rows of any length, and the matrix that is measured."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from cuda_on_host import compile_source, launch

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "spmv")
DTYPES = FOLDER.spec.dtypes


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return compile_source(FOLDER.path / "spmv.cu", tmp_path_factory.mktemp("spmv"))


def irregular(rows, dtype, seed=0):
    """Return (data, indices, indptr, x, y) of integers, with short, empty, and very long rows."""
    rng = np.random.default_rng(seed)
    lengths = np.where(rng.random(rows) < 0.1, rng.integers(20, 90, rows), rng.integers(0, 7, rows))
    indptr = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    indices = rng.integers(0, max(rows, 1), indptr[-1]).astype(np.int32)
    data, x = (rng.integers(-9, 10, count).astype(dtype) for count in (indptr[-1], rows))
    products = data * x[indices]
    y = np.array([products[begin:end].sum() for begin, end in pairwise(indptr)], dtype)
    return data, indices, indptr, x, y


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_of_any_length(library, dtype):
    for rows in (0, 1, 31, 70):
        *inputs, expected = irregular(rows, dtype)
        for block in (1, 8, 33):
            for lanes in (1, 2, 8):
                if block % lanes:
                    continue
                y = np.full(rows, np.nan, dtype)
                arguments = [np.int64(rows), *inputs, y, np.int32(lanes)]
                launch(library, f"spmv_vector_{dtype}", (rows * lanes // block + 1,), (block,), arguments)
                assert np.array_equal(y, expected), (rows, block, lanes)


@pytest.mark.parametrize("size", [0, 1, 2, 7])
def test_the_matrix_is_poissons(size):
    inputs = FOLDER.inputs(size, "float64", rng=np.random.default_rng(0), options={})
    dense = np.zeros((size**2, size**2))
    for row, (begin, end) in enumerate(pairwise(inputs["indptr"])):
        columns = inputs["indices"][begin:end]
        assert (np.diff(columns) > 0).all()
        dense[row, columns] = inputs["data"][begin:end]
    second = 2 * np.eye(size) - np.eye(size, k=1) - np.eye(size, k=-1)
    assert np.array_equal(dense, np.kron(second, np.eye(size)) + np.kron(np.eye(size), second))
    assert FOLDER.call("bytes_moved", size=size, itemsize=8) == (
        sum(array.nbytes for array in inputs.values()),
        8 * size**2,
    )


def test_tolerance_is_that_of_the_dtype():
    inputs = FOLDER.inputs(64, "float64", rng=np.random.default_rng(3), options={})
    expected = FOLDER.expected(64, "float64", options={}, inputs=inputs)
    (bound,) = FOLDER.tolerance(64, "float64", options={}, inputs=inputs, expected=expected)
    assert (np.abs(expected[0].astype(np.float32) - expected[0]) > bound).any()
    assert (bound < 1e-14).all()
