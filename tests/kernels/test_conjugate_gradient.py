"""Tests of conjugate_gradient: the true residual of solutions, and the CUDA passes run on the host."""

from pathlib import Path

import numpy as np
import pytest
from cuda_on_host import compile_source, launch
from run_implementation import CUDA
from scipy.sparse import csr_array

from accelbench.errors import WrongResult
from accelbench.kernels import catalog
from accelbench.verify.comparison import compare, within

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "conjugate_gradient")
DTYPES = FOLDER.spec.dtypes
HOST = [n for n, i in FOLDER.implementations.items() if i.backend not in CUDA]
SIZE = 24


def problem(size, dtype):
    return FOLDER.inputs(size, dtype, rng=np.random.default_rng(size), options={})


def relative_residual(inputs, x):
    """Return |b - A x| / |b| in float64."""
    matrix = csr_array((inputs["data"].astype(np.float64), inputs["indices"], inputs["indptr"]))
    b = inputs["b"].astype(np.float64)
    return np.linalg.norm(b - matrix @ x.astype(np.float64)) / np.linalg.norm(b)


def solved(run, name, dtype, inputs, size, block=16):
    """Return (x, steps) of one implementation."""
    x, steps = run(name, dtype, inputs, block, size)
    return x, int(steps)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", HOST)
def test_true_residual(run, name, dtype):
    """The residual is as small as requested, up to rounding. The number of steps is 1 to 4 times the grid's side."""
    inputs = problem(SIZE, dtype)
    x, steps = solved(run, name, dtype, inputs, SIZE)
    assert relative_residual(inputs, x) <= 1.01 * inputs["relative_residual"] + 4 * np.finfo(dtype).eps * SIZE
    assert SIZE < steps <= 4 * SIZE


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return compile_source(FOLDER.path / "conjugate_gradient_fused.cu", tmp_path_factory.mktemp("cuda"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_cuda_fused_passes(library, dtype):
    """Steps beyond the exact solution of a small system do no harm. Sizes need not be multiples of a vector's width."""
    for size, blocks, block, steps in ((1, 1, 1, 40), (2, 7, 3, 40), (5, 3, 8, 60), (7, 2, 33, 40)):
        inputs, n = problem(size, dtype), np.int64(size**2)
        matrix = [inputs[name] for name in ("data", "indices", "indptr")]
        x, residual, direction, product = (np.full(-(-n // 4) * 4, np.nan, dtype)[:n] for _ in range(4))
        squared, squared_now, curvature, sums = (np.full(count, np.nan, dtype) for count in (1, 1, 1, blocks))
        finished = np.zeros(1, np.uint32)

        def launched(name, *arguments, blocks=blocks, block=block, n=n):
            launch(library, f"{name}_{dtype}", (blocks,), (block,), [n, *arguments])

        launched("start", inputs["b"], x, residual, direction, sums, finished, squared)
        assert squared[0] == pytest.approx(float(inputs["b"] @ inputs["b"]), rel=1e-5)
        for step in range(steps):
            back, forth = np.int32(step % 2), np.int32(1 - step % 2)
            launched("multiply", *matrix, direction, product, sums, finished, curvature, back)
            launched("update", squared, curvature, product, residual, sums, finished, squared_now, forth)
            launched("direct", squared, curvature, squared_now, residual, direction, x, back)
            squared, squared_now = squared_now, squared
        assert finished[0] == 0
        assert relative_residual(inputs, x) <= 20 * np.finfo(dtype).eps, (size, blocks, block)


@pytest.mark.parametrize("block", [8, pytest.param(33, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["pycuda_raw", "pycuda_raw_fused"])
def test_launches_solve_the_system(run, monkeypatch, name, block):
    """Launches run on the host, with the grids, blocks and arguments that the implementations choose."""
    monkeypatch.setattr(run.worker(name).module, "TOGETHER", 8, raising=name.endswith("_fused"))
    for size, dtype in ((0, "float64"), (1, "float64"), (7, "float64"), (5, "float32")):
        inputs = problem(size, dtype)
        x, steps = solved(run, name, dtype, inputs, size, block)
        assert steps <= inputs["most_steps"]
        if size:
            assert relative_residual(inputs, x) <= inputs["relative_residual"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_reference_solves_the_system(dtype):
    inputs = problem(40, dtype)
    x, _ = FOLDER.expected(40, dtype, options={}, inputs=inputs)
    assert relative_residual(inputs, x) < 1e-13


def error_metrics(x, inputs, size, dtype):
    return FOLDER.error_metrics(size, dtype, options={}, inputs=inputs, results={"x": x}, expected=(None,))


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_true_residual_is_an_error_metric(run, dtype):
    """A residual four times as large as requested is detected, although x alone is within its tolerance."""
    inputs = problem(64, dtype)
    x, _ = solved(run, "numpy_cg", dtype, inputs, 64)
    errors = within(error_metrics(x, inputs, 64, dtype))
    assert errors["true residual"][0] == pytest.approx(relative_residual(inputs, x), rel=1e-6)
    hasty = inputs | {"relative_residual": 4 * inputs["relative_residual"]}
    early, _ = solved(run, "numpy_cg", dtype, hasty, 64)
    noisy = x + 1e-3 * np.abs(x).mean() * np.random.default_rng(0).standard_normal(x.size).astype(dtype)
    for wrong in (early, noisy, np.zeros_like(x), x.reshape(64, 64).T.reshape(-1)):
        with pytest.raises(WrongResult, match="true residual"):
            within(error_metrics(wrong, inputs, 64, dtype))
    expected = FOLDER.expected(64, dtype, options={}, inputs=inputs)
    bound, _ = FOLDER.tolerance(64, dtype, options={}, inputs=inputs, expected=expected)
    assert (np.abs(early - expected[0]) <= bound).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_number_of_steps_is_compared_and_limited(run, dtype):
    inputs = problem(64, dtype)
    expected = FOLDER.expected(64, dtype, options={}, inputs=inputs)
    _, bound = map(np.asarray, FOLDER.tolerance(64, dtype, options={}, inputs=inputs, expected=expected))
    _, steps = solved(run, "numpy_cg", dtype, inputs, 64)
    assert compare("steps", np.int64(steps), np.asarray(expected[1]), tolerance=bound) == (steps, inputs["most_steps"])
    with pytest.raises(WrongResult, match="steps"):
        compare("steps", inputs["most_steps"] + 1, np.asarray(expected[1]), tolerance=bound)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_solver_that_stops_early_is_found(run, dtype):
    inputs = problem(64, dtype)
    expected = FOLDER.expected(64, dtype, options={}, inputs=inputs)
    bound, _ = FOLDER.tolerance(64, dtype, options={}, inputs=inputs, expected=expected)
    x, _ = solved(run, "numpy_cg", dtype, inputs, 64)
    assert (np.abs(x - expected[0]) <= bound / 4).all()
    hasty = inputs | {"relative_residual": 300 * inputs["relative_residual"]}
    x, _ = solved(run, "numpy_cg", dtype, hasty, 64)
    assert (np.abs(x - expected[0]) > bound).any()
