"""Tests of nbody against decimal arithmetic of 50 digits, and of its tolerance."""

from decimal import Decimal, getcontext
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "nbody")
DTYPES = FOLDER.spec.dtypes
HOST = [n for n, i in FOLDER.implementations.items() if i.backend not in CUDA]
QUICK = ("python", "numpy", "ctypes")
SIZE = 37


@cache
def problem(dtype, size=SIZE):
    """Return (inputs, expected, tolerance) by the specification."""
    inputs = FOLDER.inputs(size, dtype, rng=np.random.default_rng(size), options={})
    (expected,) = FOLDER.expected(size, dtype, options={}, inputs=inputs)
    (bound,) = FOLDER.tolerance(size, dtype, options={}, inputs=inputs, expected=(expected,))
    return inputs, expected, bound


@cache
def exact(dtype):
    """Return the accelerations by the definition, term by term."""
    getcontext().prec = 50
    position, mass, softening = problem(dtype)[0].values()
    bodies = [[Decimal(float(part)) for part in body] for body in zip(*position, strict=True)]
    masses = [Decimal(float(m)) for m in mass]
    totals = [[Decimal(0)] * len(bodies) for _ in range(3)]
    for i, here in enumerate(bodies):
        for there, m in zip(bodies, masses, strict=True):
            d = [b - a for a, b in zip(here, there, strict=True)]
            square = sum(part * part for part in d) + Decimal(float(softening))
            for k in range(3):
                totals[k][i] += m * d[k] / (square * square.sqrt())
    return np.array([[float(total) for total in row] for row in totals])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n.startswith(QUICK) else pytest.mark.slow) for n in HOST])
def test_accelerations(run, name, dtype):
    inputs, _, bound = problem(dtype)
    (acceleration,) = run(name, dtype, inputs, 8, SIZE)
    assert (np.abs(acceleration - exact(dtype)) <= bound).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_reference_is_far_more_exact_than_the_tolerance(dtype):
    _, expected, bound = problem(dtype)
    assert (np.abs(expected - exact(dtype)) <= bound / {"float64": 5, "float32": 1e7}[dtype]).all()


def test_two_bodies():
    """At a distance of 3 with softening 16, the acceleration is 3 m / 5**3, where m is the mass of the other body.

    A body does not accelerate itself.
    """
    position = np.array([[1.0, 4.0], [7.0, 7.0], [-2.0, -2.0]])
    inputs = {"position": position, "mass": np.array([2.0, 5.0]), "softening": np.float64(16)}
    (expected,) = FOLDER.expected(2, "float64", options={}, inputs=inputs)
    assert np.allclose(expected, [[15 / 125, -6 / 125], [0, 0], [0, 0]], rtol=1e-15)


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_body_lost_and_lower_precision_are_out_of_tolerance(dtype):
    inputs, expected, bound = problem(dtype, 1500)
    lower = np.float32 if dtype == "float64" else np.float16
    rounded = inputs | {"position": inputs["position"].astype(lower).astype(dtype)}
    lost = inputs | {"mass": np.where(np.arange(1500) == 1234, 0, inputs["mass"]).astype(dtype)}
    for wrong in (rounded, lost):
        (acceleration,) = FOLDER.expected(1500, dtype, options={}, inputs=wrong)
        assert np.mean(np.abs(acceleration - expected) > bound) > 0.5


def test_tolerance_holds_left_to_right():
    """The largest error of summation from left to right in single precision is 1 to 50 % of the tolerance."""
    inputs, expected, bound = problem("float32", 3000)
    position, mass, softening = inputs.values()
    d = position[:, np.newaxis, :] - position[:, :100, np.newaxis]
    squares = (d * d).sum(axis=0) + softening
    total = np.zeros((3, 100), np.float32)
    for j in range(3000):
        total += d[:, :, j] * (mass[j] / (squares[:, j] * np.sqrt(squares[:, j])))
    share = np.abs(total - expected[:, :100]) / bound[:, :100]
    assert 0.01 < share.max() < 0.5
