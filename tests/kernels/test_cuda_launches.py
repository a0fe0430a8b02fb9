"""What implementations in CUDA C launch, by the worker's code on the host: grids, blocks, arguments, ragged ends."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from run_implementation import Runner

from accelbench.kernels import catalog

ROOT = Path(__file__).parents[2] / "kernels"
# (size, block size) of each kernel: one element, blocks with threads to spare, more than one block, ragged ends
SIZES = ((1, 32), (33, 8), (300, 33))
RAGGED = tuple(itertools.product((1, 2, 3, 5, 31, 32, 257), (1, 33)))
PROBLEMS = {
    **dict.fromkeys(("copy", "fill", "elementwise_trig", "linear_combination", "multiply_add", "saxpy"), RAGGED),
    **dict.fromkeys(("scale", "softplus", "squared_difference", "squared_difference_mixed"), RAGGED),
    **dict.fromkeys(("black_scholes", "vector_add", "vector_multiply", "random_fill"), RAGGED),
    **dict.fromkeys(("dot", "maximum", "standard_deviation", "vector_sum"), SIZES),
    **dict.fromkeys(("compact", "cumsum"), (*SIZES, (300, 4))),  # five scans of sums
    "sort": ((1, 32), (33, 8), (130, 4)),
    "stencil": ((1, (4, 4)), (33, (8, 4))),
    "matmul": ((1, (8, 8)), (33, (16, 8)), (34, (8, 16))),
    "spmv": ((1, 32), (9, 64)),
    "monte_carlo_pi": ((1, 32), (300, 33)),
    "trace": ((1, 8), (33, 32)),
    "slicing": ((1, 8), (4, 3), (33, 32)),
    "squared_difference_broadcast": ((1, 8), (9, 32)),
    "sum_of_products": ((1, 8), (9, 32)),
    "l2norm": ((1, 8), (9, 32)),
    "softmax": ((1, 8), (9, 32)),
    "dg_derivative": ((1, 8), (9, 32)),
    "fft": ((2, 4), (64, 8)),
    "inside_polygon": ((1, (4, 4)), (33, (8, 4))),
    **dict.fromkeys(("histogram", "nbody"), SIZES),
    **dict.fromkeys(("transpose", "mandelbrot"), ((1, (4, 4)), (33, (8, 4)))),
}
OPTIONS = {key: {"columns": 33} for key in ("l2norm", "softmax", "sum_of_products", "squared_difference_broadcast")}
OPTIONS |= {"mandelbrot": {"iterations": 33}, "dg_derivative": {"order": 2}}
NAMES = ("cupy_raw*.py", "pycuda_raw*.py", "pycuda_source_module.py", "cuda_core_raw*.py")
# Of each kernel and library one implementation in one dtype is quick, and what takes packs, which depend on the dtype.
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


def test_cuda_core_launches_what_pycuda_does():
    launched = {"pycuda": set(), "cuda_core": set()}
    for kernel in catalog.find([ROOT]).values():
        for implementation in catalog.load(kernel).implementations.values():
            if implementation.backend in launched:
                sources = {source for source in implementation.sources if source.endswith(".cu")}
                launched[implementation.backend] |= {f"{kernel.name}/{source}" for source in sources}
    assert launched["cuda_core"]
    assert launched["pycuda"] - launched["cuda_core"] == {"transfer/transfer.cu"}  # on mapped memory
