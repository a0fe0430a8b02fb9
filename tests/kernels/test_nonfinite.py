"""Tests of NaN, infinities, huge and tiny numbers and -0.0 in inputs: results agree with NumPy, unless documented.

The tests of Python and NumPy implementations are quick. Those of compiled implementations, including OpenCL, are slow.
Implementations whose flags let a compiler assume finite numbers are excluded.
"""

import re
from functools import cache, partial
from pathlib import Path

import numba
import numpy as np
import pytest
from run_implementation import Runner

from accelbench.config import Build
from accelbench.kernels import catalog

ROOT = Path(__file__).parents[2] / "kernels"
VALUES = (np.nan, np.inf, -np.inf, 1e300, -1e300)  # sums with 1e300 are finite, but 1e300**2 is not
TINY = (-0.0, 1e-310, -1e-310)  # negative zero, and subnormal numbers, which fast modes of a processor flush to 0
# Formulas in NumPy, for kernels whose reference supports only finite numbers
NUMPY = {
    "cumsum": lambda x: np.cumsum(x),
    "dot": lambda x, y: np.dot(x, y),
    "elementwise_trig": lambda x: np.sin(x) ** 2 + np.cos(x) ** 2,
    "l2norm": lambda x: np.sqrt((x * x).sum(axis=1)),
    "matmul": lambda a, b: (a[:, :, np.newaxis] * b).sum(axis=1),
    "standard_deviation": lambda x: np.std(x),
    "sum_of_products": lambda x, y: (x * y).sum(axis=1),
    "trace": lambda a: np.trace(a),
    "vector_sum": lambda x: np.sum(x),
}
SUMS_FROM_ZERO = {"cumsum"}  # Kernels that may return +0.0 for -0.0: loops start from +0.0, and +0.0 + -0.0 is +0.0
# Kernels without floating-point inputs, then kernels with prices or with iterations that must converge
LEFT_OUT = {"call", "fill", "inside_polygon", "launch", "memory_pool", "monte_carlo_pi", "peer_copy", "random_fill"}
LEFT_OUT |= {"black_scholes", "conjugate_gradient", "svd"}
LEFT_OUT |= {"histogram", "mandelbrot", "nbody"}  # Kernels with inputs of a limited range
# Implementations whose results differ from NumPy's. Their docstring or, for compiled code, that of kernel.py says so.
DIFFERENT = {
    "convolution": ["numpy_fft", "numpy_toeplitz"],
    "elementwise_trig": ["python_list"],
    "maximum": [
        *("cffi_api", "cffi_openmp", "cython_lanes", "cython_openmp", "cython_typed"),
        *("numba_njit", "numba_parallel"),
    ],
    "sort": ["ctypes_quicksort", "ctypes_quicksort_openmp", "cython_openmp", "numba_parallel", "pyopencl_raw"],
    "spmv": ["numpy_scipy_diagonals"],
    "standard_deviation": ["cython_openmp", "numba_parallel", "numpy_blocked"],
}
SAID = re.compile("NaN|infinit|overflow|-0", re.I)


@cache
def folder(kernel):
    return catalog.load(ROOT / kernel)


def cases():
    for kernel in catalog.find([ROOT]):
        if kernel not in LEFT_OUT:
            for name, implementation in folder(kernel).implementations.items():
                if implementation.backend in ("numpy", "python") and implementation.toolchain is None:
                    yield kernel, name


def compiled():
    for kernel in catalog.find([ROOT]):
        if kernel not in LEFT_OUT:
            for name, implementation in folder(kernel).implementations.items():
                host = implementation.backend in ("ctypes", "cffi", "cython", "numba")
                host |= implementation.backend == "pyopencl" and folder(kernel).spec.location == "device"
                finite = implementation.math(Build()) == "fast"
                if host and not finite and implementation.tuned_by is None:
                    yield kernel, name


def planted(kernel, size, dtype, values=VALUES):
    """Yield (value, place, inputs): a kernel's inputs with the value at one place; in a matrix, on the diagonal."""
    options = folder(kernel).spec.options
    for value in values:
        for place in (0, size // 2, size - 1):
            inputs = folder(kernel).inputs(size, dtype, rng=np.random.default_rng(1), options=options)
            arrays = [inputs[name] for name in ("x", "x1", "a", "y", "u") if name in inputs]
            x = next(array for array in arrays if array.ndim and array.dtype.kind in "fc")
            x[(place,) * x.ndim] = value
            yield value, place, inputs


def alike(result, expected):
    """Return whether a result equals NumPy's up to rounding. All non-finite complex numbers count as equal."""
    if np.iscomplexobj(expected):
        result, expected = (np.where(np.isfinite(numbers), numbers, np.nan) for numbers in (result, expected))
    return np.allclose(result, expected, rtol=1e-9, atol=1e-12, equal_nan=True)


def equally_tiny(result, expected, signs):
    """Return whether zeros and subnormal numbers equal NumPy's up to rounding. With `signs`, compare signs, too."""
    result, expected = (np.atleast_1d(x) for x in (result, expected))
    if expected.dtype.kind != "f":
        return True
    tiny = np.abs(expected) < np.finfo(expected.dtype).tiny
    result, expected = result[tiny], expected[tiny]
    same_signs = np.array_equal(np.signbit(result), np.signbit(expected))
    return np.allclose(result, expected, rtol=0, atol=1e-320) and (same_signs or not signs)


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    """Yield runner(kernel), a Runner of the kernel's implementations with one thread."""
    build_folder = tmp_path_factory.mktemp("nonfinite")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        patch.setattr(numba.config, "CACHE_DIR", str(build_folder))  # kernels' caches refer to other modules
        yield cache(lambda kernel: Runner(folder(kernel), build_folder / kernel))


@pytest.mark.parametrize(("kernel", "name"), list(cases()))
def test_one_number_is_treated_as_numpy_treats_it(runner, kernel, name):
    same_or_said(runner(kernel), name, VALUES)


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "name"), list(compiled()))
def test_one_number_is_treated_by_a_compiler_as_numpy_treats_it(runner, kernel, name):
    same_or_said(runner(kernel), name, VALUES + TINY)


def same_or_said(run, name, values):
    """Assert that an implementation treats inputs with each value like NumPy, or documents the difference."""
    tested, kernel, different = run.folder, run.folder.name, []
    size, dtype = 32 if kernel == "fft" else 34, tested.spec.dtypes[0]
    block_size = (4, 4) if tested.spec.block_dimensions == 2 else 8
    with np.errstate(all="ignore"):
        for value, place, inputs in planted(kernel, size, dtype, values):
            if kernel in NUMPY:
                expected = (NUMPY[kernel](**inputs),)
            else:
                expected = tested.expected(size, dtype, options=tested.spec.options, inputs=inputs)
            try:
                answers = run(name, dtype, inputs, block_size, size)
                right = all(map(alike, answers, expected))
                signs = kernel not in SUMS_FROM_ZERO
                right = right and (value not in TINY or all(map(partial(equally_tiny, signs=signs), answers, expected)))
            except NotImplementedError as reason:
                pytest.skip(str(reason))
            except (ArithmeticError, ValueError, AttributeError):
                right = False
            different += [] if right else [(value, place)]
    if different:
        assert name in DIFFERENT.get(kernel, ()), different
        backend, path = tested.implementations[name].backend, tested.implementations[name].path
        said_in = [path] if backend in ("numpy", "python") else [path, tested.path / "kernel.py"]
        assert any(SAID.search(p.read_text(encoding="utf-8").split('"""')[1]) for p in said_in)
