"""CUDA implementations of elementwise kernels, run on the host: grids, blocks and ragged ends that `check` needs a GPU
for."""

from pathlib import Path

import numpy as np
import pytest
from cuda_on_host import compile_source, launch
from run_implementation import Runner

from accelbench.kernels import catalog

KERNELS = Path(__file__).parents[2] / "kernels"
WITH_INPUTS = ("vector_add", "multiply_add", "linear_combination", "copy", "elementwise_trig")
SIZES = (1, 2, 3, 5, 31, 32, 257)
BLOCKS = (1, 33)
DTYPES = ("float64", "float32")


@pytest.fixture(scope="module", params=WITH_INPUTS)
def run(request, tmp_path_factory):
    return Runner(catalog.load(KERNELS / request.param), tmp_path_factory.mktemp(request.param))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "name", ["cupy_raw", "cupy_raw_packed", "pycuda_raw", "pycuda_raw_packed", "pycuda_source_module"]
)
def test_right_for_any_block_and_ragged_end(run, name, dtype):
    if name not in run.folder.implementations:
        pytest.skip("this kernel has none such")
    for size, block in ((size, block) for size in SIZES for block in BLOCKS):
        inputs = run.folder.inputs(size, dtype, np.random.default_rng(size), {})
        expected = run.folder.expected(size, dtype, {}, inputs)
        (bound,) = run.folder.tolerance(size, dtype, {}, inputs, expected)
        (out,) = run(name, dtype, inputs, block)
        assert (np.abs(out.astype(np.float64) - expected[0]) <= bound).all(), (size, block)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("source", ["fill.cu", "fill_packed.cu"])
def test_fill_stops_at_the_end(source, dtype, tmp_path):
    library = compile_source(KERNELS / "fill" / source, tmp_path)
    for size, block in ((size, block) for size in (0, *SIZES) for block in BLOCKS):
        whole = np.zeros(size + 64, dtype)
        out = whole[-whole.ctypes.data % 16 // whole.itemsize :]  # as aligned as a GPU's allocations are
        each = 16 // out.itemsize if "packed" in source else 1
        blocks = max(1, -(-size // (each * block)))
        launch(library, f"fill_{dtype}", (blocks,), (block,), [np.int64(size), out])
        assert (out[:size] == 1).all()
        assert not out[size:].any()
