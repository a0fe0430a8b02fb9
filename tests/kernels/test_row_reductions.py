"""Tests of l2norm and sum_of_products: lost elements, rows without elements, and rows of a million elements."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from run_implementation import Runner

from accelbench.kernels import catalog

ROOT = Path(__file__).parents[2] / "kernels"
KERNELS = ("l2norm", "sum_of_products")


def problem(kernel, rows, columns, dtype):
    """Return (inputs, an output full of NaN, is_right); is_right() returns whether the output is correct."""
    folder = catalog.load(ROOT / kernel)
    options = {"columns": columns}
    inputs = folder.inputs(rows, dtype, rng=np.random.default_rng(columns), options=options)
    expected = folder.expected(rows, dtype, options=options, inputs=inputs)
    (bound,) = folder.tolerance(rows, dtype, options=options, inputs=inputs, expected=expected)
    out = np.full(rows, np.nan, dtype)
    return inputs, out, lambda: bool(np.all(np.abs(out.astype(np.float64) - expected[0]) <= bound))


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    """Return runner(kernel), a Runner of the kernel's implementations."""
    build_folder = tmp_path_factory.mktemp("built")
    return cache(lambda kernel: Runner(catalog.load(ROOT / kernel), build_folder / kernel))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_lost_element_is_noticed(kernel, dtype):
    """Most rows without their last column exceed the tolerance, and so do some rows in the next lower precision."""
    folder, options = catalog.load(ROOT / kernel), {"columns": 1000}
    inputs = folder.inputs(50, dtype, rng=np.random.default_rng(5), options=options)
    expected = folder.expected(50, dtype, options=options, inputs=inputs)
    (bound,) = folder.tolerance(50, dtype, options=options, inputs=inputs, expected=expected)
    less = {name: value.astype(np.float32 if dtype == "float64" else np.float16) for name, value in inputs.items()}
    for wrong, share in (({name: value[:, :-1] for name, value in inputs.items()}, 0.8), (less, 0.1)):
        (result,) = folder.expected(50, dtype, options=options, inputs=wrong)
        assert np.mean(np.abs(result - expected[0]) > bound) > share


@pytest.mark.parametrize("name", ["numpy_blocked", "numpy_einsum", "numpy_vecdot", "numba_njit"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_rows_of_nothing_have_length_0(runner, kernel, name):
    if name not in runner(kernel).folder.implementations:
        pytest.skip(f"{kernel} has no {name}")
    inputs, out, right = problem(kernel, 3, 0, "float64")
    (out[:],) = runner(kernel)(name, "float64", inputs, size=3, options={"columns": 0})
    assert right()
    assert (out == 0).all()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_million_squares_left_to_right_are_within_the_tolerance(seed):
    """In float32, a sum of a million squares from left to right is systematically too small."""
    folder, options = catalog.load(ROOT / "l2norm"), {"columns": 1_000_000}
    inputs = folder.inputs(1, "float32", rng=np.random.default_rng(seed), options=options)
    expected = folder.expected(1, "float32", options=options, inputs=inputs)
    (bound,) = folder.tolerance(1, "float32", options=options, inputs=inputs, expected=expected)
    squares = np.square(inputs["x"][0])
    assert abs(np.sqrt(np.cumsum(squares, dtype=np.float32)[-1]) - expected[0]) <= bound
    assert abs(np.sqrt(np.sum(squares[:-5000])) - expected[0]) > bound
