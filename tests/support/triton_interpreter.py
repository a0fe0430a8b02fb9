"""Triton without a GPU: its interpreter, which computes in NumPy, and its compiler without a launch."""

import os
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from accelbench.backends import torch as torch_backend
from accelbench.kernels import catalog

# {dimensions: pairs (size, elements of a block)}: no element, one element, less than a block, an incomplete last block
PROBLEMS = {1: ((0, 32), (1, 32), (31, 32), (97, 16), (1000, 64)), 2: ((0, (16, 16)), (1, (16, 16)), (37, (32, 16)))}
FEW = ((0, 32), (1, 32), (37, 16))  # pairs for kernels that compute much even at small sizes

SIZE = 100  # size of compiled problems


class Session(torch_backend.Session):
    """Session of Triton on the host, with PyTorch's tensors. Without the interpreter, the test is skipped."""

    def __init__(self, backend, device):
        if "TRITON_INTERPRET" not in os.environ:
            pytest.skip("Triton's interpreter needs a separate process")
        super().__init__(backend, device)
        self.stream = SimpleNamespace(device="cpu")


def interpret(path, name, problems, **options):
    """Return the number of problems that an implementation solves in the interpreter. TRITON_INTERPRET must be set."""
    from solving import solve  # avoids a circular import

    warnings.simplefilter("ignore")  # NumPy warns of overflows in masked elements
    return solve(path, name, problems, **options)


def compiled_for(path, name, dtype, *, block, capability):
    """Return the PTX of each kernel that an implementation launches, compiled for a compute capability, such as 90.

    No kernel is launched, so there are no results.
    """
    from run_implementation import Runner  # avoids a circular import
    from triton.backends.compiler import GPUTarget
    from triton.runtime import autotuner, driver, jit

    target, compiled = GPUTarget("cuda", capability, 32), []

    def launching(kernel, grid):
        def launch(*arguments, **named):
            if isinstance(kernel, autotuner.Autotuner):
                return launching(kernel.fn, grid)(*arguments, **named, **kernel.configs[0].all_kwargs())
            compiled.append(kernel.run(*arguments, grid=grid, warmup=True, **named))
            return compiled[-1]  # Triton's launches return the compiled kernel, too

        return launch

    here = {"get_current_target": target, "get_current_device": 0, "get_current_stream": 0}
    driver.set_active(SimpleNamespace(**{name: lambda *_, value=value: value for name, value in here.items()}))
    jit.KernelInterface.__getitem__ = launching
    folder = catalog.load(path)
    inputs = folder.inputs(SIZE, dtype, rng=np.random.default_rng(1), options=folder.spec.options)
    Runner(folder, Path())(name, dtype, inputs, block, SIZE)
    return [kernel.asm["ptx"] for kernel in compiled]
