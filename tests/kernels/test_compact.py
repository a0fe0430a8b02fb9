"""compact: all kept, none kept, 0.5 itself; and CUDA C on the host."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from cuda_on_host import compile_source, launch
from run_implementation import CUDA, Runner

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "compact")
DTYPES = FOLDER.spec.dtypes
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)
KINDS = ("all", "none", "alternating", "last", "random")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """run(implementation, dtype, x) -> [out, count], by blocks or groups of 32 where there are any."""
    runner = Runner(FOLDER, tmp_path_factory.mktemp("compact"))
    return lambda name, dtype, x, block=32: runner(name, dtype, {"x": x}, block)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return compile_source(FOLDER.path / "compact_two_launches.cu", tmp_path_factory.mktemp("cuda"))


def elements(kind, size, dtype):
    """Elements that differ by the smallest step from 0.5 or are 0.5 itself, which is dropped."""
    places = np.arange(size)
    keep = {
        "all": places >= 0,
        "none": places < 0,
        "alternating": places % 2 == 1,
        "last": places == size - 1,
        "random": np.random.default_rng(size).random(size) > 0.5,
    }[kind]
    half = np.dtype(dtype).type(0.5)
    return np.where(keep, np.nextafter(half, 1, dtype=dtype) + places.astype(dtype), half).astype(dtype)


def right(out, count, x):
    """By the definition, element by element."""
    kept = [value for value in x.tolist() if value > 0.5]
    return count == len(kept) and np.asarray(out).tolist() == kept + [0.0] * (len(x) - len(kept))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", HOST)
def test_what_is_kept(run, name, dtype):
    for kind, size in itertools.product(KINDS, (1, 2, 257, 4099)):
        x = elements(kind, size, dtype)
        out, count = run(name, dtype, x)
        assert right(out, count, x), (kind, size)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["cupy_raw", "pycuda_raw"])
def test_cuda_what_is_kept(run, name, dtype):
    """Up to five scans of sums, blocks that are no power of two."""
    for kind, size, block in itertools.product(KINDS, (0, 1, 2, 97), (3, 8)):
        x = elements(kind, size, dtype)
        out, count = run(name, dtype, x, block)
        assert right(out, count, x), (kind, size, block)


@pytest.mark.parametrize("name", ["cupy_raw", "pycuda_raw", "pyopencl_raw"])
def test_blocks_of_one_thread_are_unsupported(run, name):
    """They would leave as many counts as there are elements, for ever."""
    with pytest.raises(NotImplementedError, match="of one"):
        run(name, "float64", np.ones(2), 1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_cuda_what_is_kept_in_two_launches(library, dtype):
    """Parts of one tile and of three, blocks that are no power of two."""
    for kind, size, block, tiles in itertools.product(KINDS, (0, 1, 2, 97, 250), (1, 3, 8), (1, 3)):
        x = elements(kind, size, dtype)
        items = tiles * block * 8
        blocks = max(1, -(-size // items))
        counts, out, total = np.full(blocks, -1), np.full(size, np.nan, dtype), np.array([-1])
        common = [np.int64(size), np.int64(items), x, counts]
        launch(library, f"compact_count_{dtype}", (blocks,), (block,), common)
        launch(library, f"compact_move_{dtype}", (blocks,), (block,), [*common, out, total])
        assert right(out, total[0], x), (kind, size, block, tiles)


@pytest.mark.parametrize("dtype", DTYPES)
def test_reference(dtype):
    for size in (0, 1, 100):
        inputs = FOLDER.inputs(size, dtype, rng=np.random.default_rng(size), options={})
        assert right(*FOLDER.expected(size, dtype, options={}, inputs=inputs), inputs["x"])
