"""Tests of compact with inputs of which all, no or some elements are kept. Some elements are exactly 0.5."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA, Runner

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "compact")
DTYPES = FOLDER.spec.dtypes
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)
KINDS = ("all", "none", "alternating", "last", "random")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return run(implementation, dtype, x) -> [out, count]. Blocks or work-groups, if any, have 32 threads."""
    runner = Runner(FOLDER, tmp_path_factory.mktemp("compact"))
    return lambda name, dtype, x, block=32: runner(name, dtype, {"x": x}, block)


def elements(kind, size, dtype):
    """Return `size` elements: 0.5, which is dropped, and larger numbers, which are kept.

    `kind` names the elements to keep. The first element, if kept, is the next number above 0.5.
    """
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
    """Return whether `out` and `count` are the result for the input `x`, by the definition."""
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
def test_reference(dtype):
    for size in (0, 1, 100):
        inputs = FOLDER.inputs(size, dtype, rng=np.random.default_rng(size), options={})
        assert right(*FOLDER.expected(size, dtype, options={}, inputs=inputs), inputs["x"])
