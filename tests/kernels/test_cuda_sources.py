"""Tests of the arithmetic and indexing of CUDA sources, run on the host, against the kernels' references."""

import itertools
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from cuda_on_host import compile_source, launch

from accelbench.kernels import catalog

ROOT = Path(__file__).parents[2]
DTYPES = ("float64", "float32")
GUARD = 64  # Minimum size of the guard zones before and after an array, in bytes


@cache
def folder(name):
    return catalog.load(ROOT / ("workflow/peaks" if name.startswith("peak_") else "kernels") / name)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Return a function library(kernel, source) that compiles a .cu file for the host, {kernel}.cu by default."""
    build_folder = tmp_path_factory.mktemp("cuda_on_host")
    return cache(
        lambda kernel, source=None: compile_source(folder(kernel).path / f"{source or kernel}.cu", build_folder)
    )


class Guarded:
    """Poisoned array, aligned like GPU allocations, between guard zones that reveal writes outside the array."""

    def __init__(self, shape, dtype):
        nbytes = int(np.prod(shape)) * np.dtype(dtype).itemsize
        self.whole = np.full(nbytes + 2 * GUARD + 256, 0xA5, np.uint8)
        self.start = GUARD + -(self.whole.ctypes.data + GUARD) % 256
        self.end = self.start + nbytes
        self.array = self.whole[self.start : self.end].view(dtype).reshape(shape)

    def intact(self):
        return (self.whole[: self.start] == 0xA5).all() and (self.whole[self.end :] == 0xA5).all()


def placed(host):
    guarded = Guarded(host.shape, host.dtype)
    guarded.array[...] = host
    return guarded.array


def problem(kernel, size, dtype, seed=0, **options):
    """Return (inputs, outputs, is_right); is_right(result) also checks the outputs' guard zones."""
    kernel = folder(kernel)
    options = {**kernel.spec.options, **options}
    inputs = kernel.inputs(size, dtype, rng=np.random.default_rng(seed), options=options)
    expected = kernel.expected(size, dtype, options=options, inputs=inputs)
    (bound,) = kernel.tolerance(size, dtype, options=options, inputs=inputs, expected=expected)
    inputs = {name: placed(value) if np.ndim(value) else value for name, value in inputs.items()}
    outputs = [Guarded(output.shape, output.dtype) for output in kernel.outputs(size, dtype, options)]

    def is_right(result):
        with np.errstate(invalid="ignore"):
            wide = np.asarray(result, np.float64)
        return bool(np.all(np.abs(wide - expected[0]) <= bound)) and all(output.intact() for output in outputs)

    return inputs, outputs, is_right


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("kernel", "each"), list(itertools.product(["peak_write", "peak_copy", "peak_triad"], (1, 4))))
def test_elementwise(library, kernel, each, dtype):
    name = f"{kernel}_{dtype}_{each}"
    for size, block in itertools.product((0, 1, 2, 3, 31, 32, 100, 257), (1, 8, 33)):
        inputs, (out,), is_right = problem(kernel, size, dtype)
        grid = (size // (16 // np.dtype(dtype).itemsize * each * block) + 1,)
        launch(library(kernel), name, grid, (block,), [np.int64(size), *inputs.values(), out.array])
        assert is_right(out.array), (size, block)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kernel", ["vector_sum", "peak_read"])
def test_sum_in_one_launch(library, kernel, dtype):
    """Each launch resets the counter of finished blocks to 0, so that the next launch is correct, too."""
    finished = np.zeros(1, np.uint32)
    for size, blocks, block in itertools.product((0, 1, 2, 31, 1009), (1, 2, 5), (1, 2, 32, 33)):
        if kernel == "peak_read" and block == 33:
            continue  # peak_read needs blocks of a power of two
        inputs, (total,), is_right = problem(kernel, size, dtype)
        sums = Guarded((blocks,), dtype)
        arguments = [np.int64(size), inputs["x"], sums.array, finished, total.array]
        source = "vector_sum_packed" if kernel == "vector_sum" else None
        launch(library(kernel, source), f"{kernel}_{dtype}", (blocks,), (block,), arguments)
        assert is_right(total.array), (size, blocks, block)
        assert sums.intact()
        assert finished[0] == 0


@pytest.mark.parametrize(
    ("size", "width", "vertices"),
    [(1, 1, 3), (16, 0, 24), (33, 0, 24), (7, 100, 5), (100, 7, 50), (64, 0, 0), (64, 0, 1), (64, 0, 2), (40, 48, 9)],
)
@pytest.mark.parametrize(("source", "each"), [("inside_polygon", 1), ("inside_polygon_runs", 16)])
def test_polygon(library, source, each, size, width, vertices):
    for seed, block in itertools.product(range(3), ((1, 1), (4, 4), (5, 3))):
        inputs, (mask,), is_right = problem("inside_polygon", size, "int32", seed, vertices=vertices, width=width)
        height, columns = mask.array.shape
        grid = -(-columns // (each * block[0])), -(-height // block[1])
        arguments = [inputs["polygon"], np.int64(vertices), mask.array, np.int64(height), np.int64(columns)]
        launch(library("inside_polygon", source), "inside_polygon_int32", grid, block, arguments)
        assert is_right(mask.array), (seed, block)


@pytest.mark.parametrize(("source", "each"), [("inside_polygon", 1), ("inside_polygon_runs", 16)])
def test_largest_coordinates_of_a_polygon_stay_within_32_bits(library, source, each):
    """Edges span the whole range of coordinates; the image is a strip of this range."""
    kernel = folder("inside_polygon")
    polygon = np.array([[0, 0], [32768, 32768], [0, 32768], [32768, 0], [3, 32767]], np.int32)
    expected = kernel.functions["reference"](polygon, 8, 32768)
    mask = Guarded(expected.shape, np.uint8)
    arguments = [polygon, np.int64(len(polygon)), mask.array, np.int64(8), np.int64(32768)]
    blocks = 32768 // each // 64, 8
    launch(library("inside_polygon", source), "inside_polygon_int32", blocks, (64, 1), arguments)
    assert np.array_equal(mask.array, expected)
