"""Tests of launches of CUDA C by the worker's code, run on the host: grids, blocks, arguments, incomplete blocks."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from run_implementation import Runner

from accelbench.kernels import catalog

ROOT = Path(__file__).parents[2] / "kernels"
# (size, block size) of launches: one element, incomplete last blocks of several blocks
SIZES = ((1, 32), (33, 8), (300, 33))
RAGGED = tuple(itertools.product((1, 2, 3, 5, 31, 32, 257), (1, 33)))
# {kernel: its (size, block size) pairs}
PROBLEMS = {
    **dict.fromkeys(("copy", "elementwise_trig", "multiply_add", "saxpy", "scale", "softplus"), RAGGED),
    **dict.fromkeys(("black_scholes", "vector_add", "vector_multiply"), RAGGED),
    **dict.fromkeys(("dot", "histogram", "maximum", "nbody", "vector_sum"), SIZES),
    "cumsum": (*SIZES, (300, 4)),  # needs five levels of scans
    "sort": ((1, 32), (33, 8), (130, 4)),
    "matmul": ((1, (8, 8)), (33, (16, 8)), (34, (8, 16))),
    "monte_carlo_pi": ((1, 32), (300, 33)),
    **dict.fromkeys(("softmax", "dg_derivative"), ((1, 8), (9, 32))),
    **dict.fromkeys(("inside_polygon", "mandelbrot"), ((1, (4, 4)), (33, (8, 4)))),
}
OPTIONS = {"softmax": {"columns": 33}, "mandelbrot": {"iterations": 33}, "dg_derivative": {"order": 2}}
NAMES = ("cupy_raw*.py", "pycuda_raw*.py", "pycuda_source_module.py", "cuda_core_raw*.py")
CASES = [
    pytest.param(
        f"{kernel}/{file.stem}", dtype, marks=pytest.mark.slow if further and "packed" not in file.stem else ()
    )
    for kernel in PROBLEMS
    for pattern in NAMES
    for further, (file, dtype) in enumerate(
        itertools.product(sorted((ROOT / kernel).glob(pattern)), catalog.load_specification(ROOT / kernel).spec.dtypes)
    )
]


@pytest.fixture(scope="module")
def runners(tmp_path_factory):
    return {kernel: Runner(catalog.load(ROOT / kernel), tmp_path_factory.mktemp(kernel)) for kernel in PROBLEMS}


@pytest.mark.slow
@pytest.mark.parametrize(("case", "dtype"), CASES)
def test_launches_compute_what_the_reference_does(runners, case, dtype):
    kernel, name = case.split("/")
    folder = runners[kernel].folder
    options = folder.spec.options | OPTIONS.get(kernel, {})
    for size, block in PROBLEMS[kernel]:
        inputs = folder.inputs(size, dtype, rng=np.random.default_rng(size), options=options)
        expected = folder.expected(size, dtype, options=options, inputs=inputs)
        bounds = folder.tolerance(size, dtype, options=options, inputs=inputs, expected=expected)
        results = runners[kernel](name, dtype, inputs, block, size, options=options)
        for result, right, bound in zip(results, expected, bounds, strict=True):
            error = np.abs(result - np.asarray(right, np.result_type(right, np.float64)))
            assert (error <= bound).all(), (dtype, size, block)
