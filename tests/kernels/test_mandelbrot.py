"""Tests of mandelbrot: steps in fixed-point arithmetic of 600 bits, and the effects of different rounding."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA

from accelbench.errors import InputError
from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "mandelbrot")
DTYPES = FOLDER.spec.dtypes
HOST = [n for n, i in FOLDER.implementations.items() if i.backend not in CUDA]
QUICK = ("numpy", "cffi_api")
SIZE, ITERATIONS, BITS = 37, 60, 600
# An error grows at most fourfold, two bits, per step. So 480 of 600 bits are correct after 60 steps.


@cache
def problem(dtype, size=SIZE, iterations=ITERATIONS):
    """Return (inputs, minimum steps, maximum steps) by the specification."""
    options = {"iterations": iterations}
    inputs = FOLDER.inputs(size, dtype, rng=np.random.default_rng(size), options=options)
    given = {"options": options, "inputs": inputs}
    (middle,) = FOLDER.expected(size, dtype, **given)
    (half,) = FOLDER.tolerance(size, dtype, **given, expected=(middle,))
    return inputs, middle - half, middle + half


def steps(a, b, limit):
    """Return the number of steps of the point (a, b), in fixed-point arithmetic of multiples of 2**-600."""
    a, b = (int(float(part) * 2.0**BITS) for part in (a, b))
    re = im = 0
    for step in range(limit):
        re, im = (re * re - im * im >> BITS) + a, (2 * re * im >> BITS) + b
        if re * re + im * im > 4 << 2 * BITS:
            return step + 1
    return limit


@cache
def truth(dtype):
    x, y, _ = problem(dtype)[0].values()
    return np.array([[steps(a, b, ITERATIONS) for a in x] for b in y])


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_specification_leaves_room_for_the_truth_and_little_else(dtype):
    _, fewest, most = problem(dtype)
    assert (fewest <= truth(dtype)).all()
    assert (truth(dtype) <= most).all()
    assert np.mean(fewest == most) > {"float64": 0.999, "float32": 0.98}[dtype]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n.startswith(QUICK) else pytest.mark.slow) for n in HOST])
def test_steps(run, name, dtype):
    inputs, fewest, most = problem(dtype)
    (counts,) = run(name, dtype, inputs, (8, 4), SIZE, options={"iterations": ITERATIONS})
    decided = fewest == most
    assert np.array_equal(counts[decided], truth(dtype)[decided])
    assert ((fewest <= counts) & (counts <= most)).all()


def plain(z, c):
    return z.real * z.real - z.imag * z.imag + c.real, 2 * z.real * z.imag + c.imag


def factored(z, c):
    return (z.real + z.imag) * (z.real - z.imag) + c.real, 2 * z.real * z.imag + c.imag


def fused(z, c):
    """Return a step with fused multiply-adds, emulated in float64, in which products of float32 numbers are exact."""
    re, im = z.real.astype(np.float64), z.imag.astype(np.float64)
    return (re * re - np.float32(im * im)).astype(np.float32) + c.real, (2 * re * im + c.imag).astype(np.float32)


def counted(square, x, y, limit):
    c = x + 1j * y[:, np.newaxis]
    z, counts, inside = np.zeros_like(c), np.zeros(c.shape, int), np.ones(c.shape, bool)
    for _ in range(limit):
        counts += inside
        z.real, z.imag = square(z, c)
        inside &= z.real**2 + z.imag**2 <= 4
        z[~inside] = 0
    return counts


def test_all_roundings_stay_within():
    """The number of steps of some points depends on rounding. The specification allows each of these numbers."""
    inputs, fewest, most = problem("float32", 200, 200)
    found = [counted(square, **inputs) for square in (plain, factored, fused)]
    for counts in found:
        assert ((fewest <= counts) & (counts <= most)).all()
    assert (found[0] != found[1]).any()
    assert (found[0] != found[2]).any()


def test_wrong_counts_are_out_of_tolerance():
    """An additional step, and coordinates rounded to 11 bits, exceed the tolerance."""
    _, fewest, most = problem("float64")
    assert np.mean(truth("float64") + 1 > most) > 0.99
    inputs = problem("float64")[0]
    rounded = {name: np.float64(np.float16(inputs[name])) for name in ("x", "y")} | {"limit": ITERATIONS}
    (others,) = FOLDER.expected(SIZE, "float64", options={"iterations": ITERATIONS}, inputs=rounded)
    assert ((others < fewest) | (others > most)).any()


@pytest.mark.parametrize("iterations", [1, 10, 200])
def test_operations_are_those_of_the_steps(iterations):
    _, fewest, most = problem("float64", 150, iterations)
    assert FOLDER.cost(150, 8, {"iterations": iterations})[2] == pytest.approx(9 * (fewest + most).sum() / 2, rel=0.03)


@pytest.mark.parametrize("iterations", [0, 2.5, 10_001])
def test_impossible_iterations_are_named(iterations):
    with pytest.raises(InputError, match=f"iterations={iterations}"):
        FOLDER.inputs(8, "float64", rng=np.random.default_rng(0), options={"iterations": iterations})


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [n for n in HOST if n.startswith(("cffi", "cython", "numba", "numpy", "pyopencl"))])
def test_points_that_are_no_numbers_are_outside_as_in_numpy(run, name, dtype):
    real = np.array([0, 1, np.inf, -np.inf, np.nan, 1e30], dtype)
    inputs = {"x": real, "y": real, "limit": np.int32(9)}
    with np.errstate(all="ignore"):
        found, expected = (run(each, dtype, inputs, (2, 2), 6)[0] for each in (name, "numpy_complex"))
    assert found.tolist() == expected.tolist()
