"""Tests of dg_derivative: gradients of polynomials on tetrahedra of any shape, and generated code of every order."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA, parameters

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "dg_derivative")
DTYPES = FOLDER.spec.dtypes
PLAIN = tuple(
    name
    for name, implementation in FOLDER.implementations.items()
    if implementation.backend not in CUDA and implementation.tuned_by is None
)
TEMPLATES = ("cupy_raw_template", "pycuda_template", "pyopencl_template")


def powers(order):
    """Return the exponents of all monomials of three variables up to degree `order`."""
    return [e for e in itertools.product(range(order + 1), repeat=3) if sum(e) <= order]


def monomial(points, exponents, variable=None):
    """Return values at points, of shape (..., 3), of a monomial or of its derivative with respect to `variable`."""
    exponents, factor = np.array(exponents), 1
    if variable is not None:
        factor = exponents[variable]
        exponents[variable] = max(0, factor - 1)
    return factor * (points**exponents).prod(axis=-1)


@pytest.mark.parametrize("order", range(1, 10))
def test_matrices_differentiate_every_monomial_of_their_order(order):
    """The error of each derivative is at most that of rounding and adding the terms of its sum."""
    functions = FOLDER.functions
    matrices = functions["inputs"](1, "float64", np.random.default_rng(1), order)["matrices"]
    points = functions["reference"].__globals__["grid"](order)[:, 1:] / order
    assert len(matrices) == len(points) == len(powers(order))
    for exponents, edge in itertools.product(powers(order), range(3)):
        values = monomial(points, exponents)
        along = values @ matrices[:, edge]
        bound = (len(points) + 2) * 2.0**-53 * (np.abs(values) @ np.abs(matrices[:, edge]))
        assert (np.abs(along - monomial(points, exponents, edge)) <= bound + 1e-15).all(), (exponents, edge)


def elements(order, size, dtype, exponents):
    """Return (inputs, gradients) of one monomial of x, y and z on tetrahedra of random vertices."""
    rng = np.random.default_rng(order)
    given = FOLDER.inputs(size, dtype, rng=rng, options={"order": order})
    grid = FOLDER.functions["reference"].__globals__["grid"](order)[:, 1:] / order
    origins, edges = rng.random((size, 1, 3)), np.eye(3) + 0.4 * rng.random((size, 3, 3))  # one edge per row
    points = origins + grid @ edges
    gradients = np.stack([monomial(points, exponents, variable) for variable in range(3)], axis=1)
    factors = np.linalg.inv(edges)  # [i, c]: derivative of reference coordinate c by coordinate i
    inputs = {"matrices": given["matrices"], "u": monomial(points, exponents), "factors": factors}
    return {name: array.astype(dtype) for name, array in inputs.items()}, gradients


def right(run, name, dtype, order, **chosen):
    size = 5
    for exponents in {(order, 0, 0), (0, 0, order), (order // 3, order - 2 * (order // 3), order // 3), (0, 0, 0)}:
        inputs, gradients = elements(order, size, dtype, exponents)
        (out,) = run(name, dtype, inputs, 8, size, options={"order": order}, **chosen)
        magnitude = np.abs(inputs["factors"]) @ np.einsum(
            "eb,bca->eca", np.abs(inputs["u"]), np.abs(inputs["matrices"])
        )
        bound = len(inputs["matrices"]) * np.finfo(dtype).eps * magnitude.max()  # inputs are rounded too
        if not (np.abs(out - gradients) <= bound).all():
            return False
    return True


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", parameters(FOLDER, PLAIN))
def test_gradients_of_monomials_on_tetrahedra_of_any_shape(run, name, dtype):
    assert all(right(run, name, dtype, order) for order in (1, 2, 4))


@pytest.mark.slow
@pytest.mark.parametrize("order", range(1, 11))
@pytest.mark.parametrize("name", TEMPLATES)
def test_generated_code_of_every_order(run, name, order):
    assert right(run, name, "float64", order, parallel=1, inline=2)


@pytest.mark.processes
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "name", [TEMPLATES[0], *(pytest.param(name, marks=pytest.mark.slow) for name in TEMPLATES[1:])]
)
def test_generated_code_for_elements_beyond_the_last(run, name, dtype):
    """Blocks of two and of sixteen elements process five elements, so the last block is not full."""
    for parallel, inline in ((2, 1), (4, 4)):
        assert right(run, name, dtype, 1, parallel=parallel, inline=inline), (parallel, inline)


@pytest.mark.parametrize("name", TEMPLATES[:2])
def test_elements_that_a_block_does_not_hold_are_unsupported(run, name):
    inputs = FOLDER.inputs(1, "float64", rng=np.random.default_rng(1), options={"order": 9})
    with pytest.raises(NotImplementedError, match="128 elements of 220 nodes are too many"):
        run(name, "float64", inputs, None, 1, options={"order": 9}, parallel=16, inline=8)


@pytest.mark.parametrize("dtype", DTYPES)
def test_tolerance_admits_no_lower_precision_and_no_lost_term(dtype):
    options, less = {"order": 4}, np.float32 if dtype == "float64" else np.float16
    inputs = FOLDER.inputs(9, dtype, rng=np.random.default_rng(2), options=options)
    expected = FOLDER.expected(9, dtype, options=options, inputs=inputs)
    (bound,) = FOLDER.tolerance(9, dtype, options=options, inputs=inputs, expected=expected)
    lost = inputs | {"u": np.where(np.arange(35) == 34, 0, inputs["u"])}
    rounded = {name: array.astype(less) for name, array in inputs.items()}
    for wrong in (rounded, lost):
        (result,) = FOLDER.expected(9, dtype, options=options, inputs=wrong)
        assert np.mean(np.abs(result - expected[0]) > bound) > 0.3
