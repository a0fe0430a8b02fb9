"""Tests of histogram against rational arithmetic: edges of bins, all numbers in one bin, and a single bin."""

import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA, Runner

from accelbench.errors import InputError
from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "histogram")
DTYPES = FOLDER.spec.dtypes
HOST = [n for n, i in FOLDER.implementations.items() if i.backend not in CUDA]
QUICK = ("python", "numpy", "ctypes")
LOOPS = ("cffi", "cython", "f2py", "nanobind", "numba", "pyopencl", "pythran", "warp")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return run(implementation, x, bits) -> counts. Blocks or work-groups, if any, have 32 threads."""
    runner = Runner(FOLDER, tmp_path_factory.mktemp("histogram"))

    def counts(name, x, bits, block=32):
        return runner(name, x.dtype.name, {"x": x}, block, options={"bits": bits})[0].tolist()

    return counts


def problems(dtype, bits):
    """Yield vectors of the smallest and largest numbers of every bin, of one number repeated, and of random numbers."""
    real, bins = np.dtype(dtype).type, 2**bits
    ends = (np.arange(bins + 1) / bins).astype(dtype)
    yield np.concatenate([ends[:-1], np.nextafter(ends[1:], real(0))])
    yield np.full(1031, np.nextafter(real(1), real(0)))
    yield np.random.default_rng(bits).random(4099, dtype)


def counted(x, bits):
    """Return the counts by the definition, number by number."""
    found = [0] * 2**bits
    for value in x.tolist():
        found[Fraction(value) * 2**bits // 1] += 1
    return found


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n.startswith(QUICK) else pytest.mark.slow) for n in HOST])
def test_counts(run, name, dtype):
    for bits in (0, 3, 10):
        for x in problems(dtype, bits):
            assert run(name, x, bits) == counted(x, bits), (bits, x.size)


@pytest.mark.parametrize("dtype", DTYPES)
def test_cuda_counts(run, dtype):
    """The number of bins is above or below the number of threads, and blocks have any size."""
    for bits, block in itertools.product((0, 4), (1, 5, 33)):
        x = next(problems(dtype, bits))
        assert run("cupy_raw", x, bits, block) == counted(x, bits), (bits, block)


@pytest.mark.parametrize("dtype", DTYPES)
def test_reference(dtype):
    for bits in (0, 3, 10):
        for x in problems(dtype, bits):
            (expected,) = FOLDER.expected(x.size, dtype, options={"bits": bits}, inputs={"x": x})
            assert expected.tolist() == counted(x, bits)


def test_as_many_bins_as_there_may_be_fit_on_a_threads_stack(run):
    for x in (np.zeros(1), np.full(3, 1 - 2.0**-21)):
        counts = run("cffi_openmp", x, 20)
        assert sum(counts) == counts[-1 if x[0] else 0] == x.size


@pytest.mark.parametrize("bits", [-1, 2.5, 21])
def test_impossible_bits_are_named(bits):
    with pytest.raises(InputError, match=f"bits={bits}"):
        FOLDER.inputs(8, "float64", rng=np.random.default_rng(0), options={"bits": bits})


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("exact", [False, True])
def test_inputs_show_rounding_in_place_of_whole_parts(dtype, exact):
    """Counts change if edges are put into the even or the lower of two bins, or if numbers are rounded up to edges."""
    for seed, bits in itertools.product(range(20), (3, 8)):
        given = {"options": {"bits": bits}}
        x = FOLDER.inputs(200, dtype, rng=np.random.default_rng(seed), exact=exact, **given)["x"]
        (expected,) = FOLDER.expected(200, dtype, inputs={"x": x}, **given)
        scaled = x.astype("float64") * 2**bits
        right = np.bincount(np.floor(scaled).astype(int), minlength=2**bits)
        assert right.tolist() == expected.tolist()
        for wrong in (np.rint(scaled - 0.5), np.ceil(scaled) - 1, np.floor(scaled * (1 + 2 * np.finfo(dtype).eps))):
            bins = np.clip(wrong, 0, 2**bits - 1).astype(int)
            assert np.bincount(bins, minlength=2**bits).tolist() != expected.tolist()


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [*(n for n in HOST if n.startswith(LOOPS)), "cupy_raw"])
def test_numbers_outside_are_counted_nowhere(run, name, dtype):
    """Numbers outside [0, 1) are not counted. A write outside the counts would crash or show in a sanitizer."""
    inside = np.random.default_rng(1).random(50, dtype)
    outside = np.array([1.0, 1.5, 1e9, 1e30, np.inf, -1.0, -1e9, -1e30, -np.inf, np.nan, -1e-9], dtype)
    x = np.concatenate([inside, outside, inside])
    assert run(name, x, 3) == counted(np.concatenate([inside, inside]), 3)
