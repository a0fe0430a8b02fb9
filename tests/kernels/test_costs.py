"""Test of the estimated memory of every kernel against the memory of its arrays."""

import math

import numpy as np
import pytest

from accelbench import project
from accelbench.kernels import catalog

KERNELS = sorted(path.parent for path in (project.ROOT / "kernels").glob("*/kernel.py"))
FEW = 4096  # Allowance for scalars and small auxiliary outputs, in bytes


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.name)
def test_the_memory_a_problem_takes_is_known_before_it_is_made(path):
    """The estimated memory of a problem is near its true memory.

    The coordinator excludes cases whose estimate exceeds the memory. Workers take turns if the sum of their estimates
    exceeds the memory.
    """
    folder = catalog.load(path)
    size, dtype = min(max(folder.spec.sizes["default"]), 10**6), folder.spec.dtypes[0]
    options = folder.spec.options
    arrays = folder.inputs(size, dtype, rng=np.random.default_rng(0), options=options).values()
    outputs = folder.outputs(size, dtype, options)
    true = sum(a.nbytes for a in arrays) + sum(
        math.prod(o.shape) * np.dtype(o.dtype).itemsize for o in outputs if not o.inout
    )
    estimated = folder.footprint_bytes(size, dtype, options)
    assert 0.7 * true - FEW <= estimated <= 1.5 * true + FEW, f"{estimated} bytes, but there are {true}"
