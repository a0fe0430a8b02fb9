"""Test of elementwise_trig, whose exact result is 1. Only rounding errors prove that the sines were computed."""

from pathlib import Path

import numpy as np
import pytest
from run_implementation import CUDA

from accelbench.kernels import catalog

FOLDER = catalog.load(Path(__file__).parents[2] / "kernels" / "elementwise_trig")
HOST = tuple(n for n, i in FOLDER.implementations.items() if i.backend not in CUDA)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", FOLDER.spec.dtypes)
@pytest.mark.parametrize("name", HOST)
def test_no_compiler_leaves_out_the_work(run, name, dtype):
    """Because of rounding, more than 50 of 1000 results differ from 1."""
    (out,) = run(name, dtype, FOLDER.inputs(1000, dtype, rng=np.random.default_rng(0), options={}), 32)
    assert np.count_nonzero(np.asarray(out) != 1) > 50
