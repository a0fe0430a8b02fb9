"""Tests of convolution: any number of taps against the definition, and CUDA C run on the host."""

import itertools
from pathlib import Path

import gpu_on_host
import numpy as np
import pytest
from cuda_on_host import compile_source, launch

from accelbench.errors import InputError
from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "convolution")
DTYPES = FOLDER.spec.dtypes
PLAIN = tuple(n for n, i in FOLDER.implementations.items() if i.backend in ("python", "numpy", "numba"))
# Wrapper of convolution.cu. It adds what cuda_on_host lacks: constant memory, shared memory and atomic addition
ON_HOST = """
#define __constant__
extern __shared__ double shared_memory[];
template <typename Real>
static Real locked_add(Real *to, Real value)
{{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    const Real old = *to;
    *to = old + value;
    pthread_mutex_unlock(&mutex);
    return old;
}}
#define atomicAdd locked_add
#include "{source}"
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    build_folder = tmp_path_factory.mktemp("convolution")
    wrapper = build_folder / "convolution_wrapper.cu"
    wrapper.write_text(ON_HOST.format(source=FOLDER.path / "convolution.cu"))
    return compile_source(wrapper, build_folder)


def whole_numbers(size, taps, dtype):
    """Return x, weights and their convolution, all integers that are exact in float32."""
    rng = np.random.default_rng(1000 * size + taps)
    x, weights = rng.integers(-30, 31, size + taps - 1), rng.integers(-30, 31, taps)
    out = [sum(int(weights[k]) * int(x[i + taps - 1 - k]) for k in range(taps)) for i in range(size)]
    return x.astype(dtype), weights.astype(dtype), np.array(out, np.float64)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", PLAIN)
def test_any_number_of_taps(run, name, dtype):
    """There may be one tap, an even or odd number of taps, or more taps than outputs."""
    for size, taps in ((1, 1), (5, 1), (1, 2), (100, 4), (10, 31), (9000, 6)):
        x, weights, expected = whole_numbers(size, taps, dtype)
        (result,) = run(name, dtype, {"x": x, "weights": weights}, size=size, options={"taps": taps})
        assert np.allclose(result, expected, rtol=0, atol=1e3 * taps**2 * np.finfo(dtype).eps * 16), (size, taps)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("variant", ["gather", "constant"])
def test_cuda_whole_numbers_are_exact(library, variant, dtype):
    for size, taps, block in itertools.product((0, 1, 40), (1, 6, 31), (1, 5, 8)):
        x, weights, expected = whole_numbers(size, taps, dtype)
        out = np.full(size, np.nan, dtype)
        if variant == "constant":
            constant = np.ctypeslib.as_ctypes_type(dtype) * taps
            constant.in_dll(library, f"convolution_weights_{dtype}")[:] = weights.tolist()
            arrays = [x, out]
        else:
            arrays = [x, weights, out]
        grid = max(1, -(-size // block))
        arguments = [np.int64(size), np.int32(taps), *arrays]
        launch(library, f"convolution_{variant}_{dtype}", (grid,), (block,), arguments)
        assert np.array_equal(out, expected), (size, taps, block)


@pytest.mark.parametrize("dtype", DTYPES)
def test_launches_of_whole_numbers_are_exact(run, library, monkeypatch, dtype):
    monkeypatch.setattr(gpu_on_host, "compiled", lambda source: library)
    for size, taps, block in ((0, 6, 8), (1, 1, 8), (1, 31, 8), (40, 6, 5)):
        x, weights, expected = whole_numbers(size, taps, dtype)
        (result,) = run("cupy_raw", dtype, {"x": x, "weights": weights}, block, size, options={"taps": taps})
        assert np.array_equal(result, expected), (size, taps, block)


def test_reference_is_that_of_numpy():
    for taps in (1, 2, 31):
        inputs = FOLDER.inputs(500, "float64", rng=np.random.default_rng(taps), options={"taps": taps})
        (expected,) = FOLDER.expected(500, "float64", options={"taps": taps}, inputs=inputs)
        (bound,) = FOLDER.tolerance(500, "float64", options={"taps": taps}, inputs=inputs, expected=(expected,))
        assert (np.abs(expected - np.convolve(inputs["x"], inputs["weights"], "valid")) <= bound).all()


@pytest.mark.parametrize("taps", [0, -3, 2.5])
def test_taps_are_a_whole_number(taps):
    with pytest.raises(InputError, match="taps="):
        FOLDER.inputs(10, "float64", rng=np.random.default_rng(0), options={"taps": taps})
