"""Tests of dot, maximum and trace: exact results, no element missed, and a tolerance that reveals lost numbers."""

import itertools
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from cuda_on_host import compile_source, launch
from run_implementation import CUDA, Runner

from accelbench import discovery
from accelbench.backends import host
from accelbench.kernels import catalog

ROOT = Path(__file__).parents[2] / "kernels"
FOLDERS = {name: catalog.load(ROOT / name) for name in ("dot", "maximum", "trace")}
DTYPES = ("float64", "float32")
HOST = tuple(
    name for name, implementation in FOLDERS["maximum"].implementations.items() if implementation.backend not in CUDA
)


@pytest.fixture(scope="module")
def maximum(tmp_path_factory):
    """Return maximum(implementation, dtype, inputs) -> the maximum. Work-groups, if any, have 8 work-items."""
    runner = Runner(FOLDERS["maximum"], tmp_path_factory.mktemp("maximum"))
    return lambda name, dtype, inputs: runner(name, dtype, inputs, 8)[0]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Return a function library(kernel, source) that compiles a .cu file for the host, {kernel}.cu by default."""
    build_folder = tmp_path_factory.mktemp("cuda")
    return cache(lambda kernel, source=None: compile_source(ROOT / kernel / f"{source or kernel}.cu", build_folder))


def whole_numbers(size, dtype):
    """Return vectors of integers whose dot product is exact in float32, and that product."""
    x, y = np.random.default_rng(size).integers(-30, 31, (2, size))
    return {"x": x.astype(dtype), "y": y.astype(dtype)}, x @ y


def peaks(dtype, sizes):
    """Yield vectors of -2 with one -1.5, the maximum: first, in the middle, last but one, or last."""
    for size in sizes:
        for place in sorted({0, size // 2, max(size - 2, 0), size - 1}):
            x = np.full(size, -2, dtype)
            x[place] = -1.5
            yield x


def diagonal(size, dtype):
    """Return a matrix of NaN with 0, 1, 2, ... on its diagonal, and the sum of the diagonal."""
    a = np.full((size, size), np.nan, dtype)
    np.fill_diagonal(a, np.arange(size))
    return a, size * (size - 1) // 2


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", HOST)
def test_maximum_is_found_at_every_place(maximum, name, dtype):
    for x in peaks(dtype, (1, 67, 1031)):
        assert maximum(name, dtype, {"x": x}) == -1.5, (x.size, x.argmax())


@pytest.mark.parametrize("dtype", DTYPES)
def test_cuda_dot_in_one_launch(library, dtype):
    """Each launch resets the counter of finished blocks to 0, so that the next launch is correct, too."""
    finished, result = np.zeros(1, np.uint32), np.empty(1, dtype)
    for size, blocks, block in itertools.product((0, 1, 2, 31, 1009), (1, 2, 5), (1, 2, 33)):
        inputs, product = whole_numbers(size, dtype)
        arguments = [np.int64(size), *inputs.values(), np.empty(blocks, dtype), finished, result]
        launch(library("dot", "dot_packed"), f"dot_{dtype}", (blocks,), (block,), arguments)
        assert result[0] == product, (size, blocks, block)
        assert finished[0] == 0


@pytest.mark.parametrize("dtype", DTYPES)
def test_cuda_dot_in_two_launches(library, dtype):
    result = np.empty(1, dtype)
    for size, blocks, block in itertools.product((0, 1, 2, 31, 1009), (1, 2, 5), (1, 2, 33)):
        inputs, product = whole_numbers(size, dtype)
        sums = np.empty(blocks, dtype)
        launch(library("dot"), f"dot_{dtype}", (blocks,), (block,), [np.int64(size), *inputs.values(), sums])
        launch(library("dot"), f"add_up_{dtype}", (1,), (block,), [np.int64(blocks), sums, result])
        assert result[0] == product, (size, blocks, block)


@pytest.mark.parametrize("dtype", DTYPES)
def test_cuda_maximum_is_found_at_every_place(library, dtype):
    """The maximum is found at both ends and in the middle, even if some blocks have no elements."""
    for blocks, block in ((1, 1), (3, 8), (2, 33)):
        maxima = np.empty(blocks, dtype)
        for x in (*peaks(dtype, (1, 3, 67)), np.empty(0, dtype)):
            launch(library("maximum"), f"maximum_{dtype}", (blocks,), (block,), [np.int64(x.size), x, maxima])
            assert maxima.max() == np.max(x, initial=np.finfo(dtype).min), (x.size, blocks, block)


@pytest.mark.parametrize("dtype", DTYPES)
def test_reference_of_dot_is_exact_and_its_tolerance_small(dtype):
    """The reference equals exact fractions. Lower precision, and nearly any lost product, exceed the tolerance."""
    folder, size = FOLDERS["dot"], 3000
    inputs = folder.inputs(size, dtype, rng=np.random.default_rng(3), options={})
    (expected,) = folder.expected(size, dtype, options={}, inputs=inputs)
    x, y = (list(map(Fraction, value.tolist())) for value in inputs.values())
    exact = sum(a * b for a, b in zip(x, y, strict=True))
    assert abs(Fraction(expected) - exact) < 2 * np.spacing(abs(expected))
    (bound,) = folder.tolerance(size, dtype, options={}, inputs=inputs, expected=(expected,))
    lower = np.float32 if dtype == "float64" else np.float16
    (rounded,) = folder.expected(
        size, dtype, options={}, inputs={name: value.astype(lower) for name, value in inputs.items()}
    )
    assert abs(rounded - expected) > bound
    assert np.mean(np.abs(inputs["x"] * inputs["y"]) > bound) > 0.9


def test_numpys_own_array_is_one_that_numpy_made():
    module = discovery.import_file(ROOT / "vector_sum" / "numpy_sum_own_array.py")
    aligned, _ = host.guarded_empty((5_000_000,), "float64")
    aligned[:] = 1
    own = module.convert(aligned)["x"]
    assert own.flags.owndata
    assert not np.shares_memory(own, aligned)
    assert module.run(own) == 5_000_000
