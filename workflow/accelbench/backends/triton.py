"""Triton: kernels in Python that work on blocks of elements, launched on PyTorch's stream.

`case.block_size` is the number of elements of a block. A block has 32 times `num_warps` threads.
"""

import os
import re
import shutil
import sysconfig
from dataclasses import replace
from pathlib import Path

from accelbench.backends import Unavailable, cuda, torch
from accelbench.model.device import LaunchFacts

ENVIRONMENT = "torch"
BACKENDS = {"triton": None}
PACKAGES = {"triton": ("triton", "torch")}
MOST_ELEMENTS = 1 << 20  # Maximum number of elements of a block: triton.language.TRITON_MAX_TENSOR_NUMEL
# Errors that Triton raises while it compiles or launches
REASONS = (
    (
        re.compile(r"range must be a power of 2"),
        "unsupported",
        "the number of elements of Triton's blocks must be a power of two",
    ),
    (
        re.compile(r"Unsupported lhs dtype fp64"),
        "unsupported",
        "tl.dot of this version of Triton does not support float64",
    ),
    (re.compile(r"out of resource"), "unsupported", "{}"),
)


def probe(backend):
    """Return every CUDA device of PyTorch. The limits of a block are numbers of elements, not of threads.

    Triton's interpreter is not listed as a device. It computes in NumPy, so its times say nothing about a GPU.
    """
    cuda.driver()
    cuda.import_library("triton")
    if not (os.environ.get("CC") or shutil.which("clang") or shutil.which("gcc")):
        raise Unavailable(
            "Triton needs a C compiler for launchers of its kernels, and there is none", "apt install gcc"
        )
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        raise Unavailable(
            "Triton needs Python.h to compile launchers of its kernels, and there is none", "apt install python3-dev"
        )
    in_elements = {"max_block_size": MOST_ELEMENTS, "max_block_shape": None}
    gpus = [device for device in torch.probe("torch") if not device.on_host]
    return [replace(gpu, device_limits=replace(gpu.device_limits, **in_elements)) for gpu in gpus]


class Session(torch.TorchOnGpu):
    """PyTorch's session of a CUDA device. Kernels get tensors as arguments."""

    def __init__(self, backend, device):
        super().__init__(backend, device)
        self.REASONS = (*REASONS, *self.REASONS)

    def attributes(self, kernel):
        """Return the LaunchFacts of the kernel that triton.jit or triton.autotune compiled last, or None."""
        compiled = self._compiled(kernel)
        if getattr(compiled, "n_regs", None) is None:
            return None
        return LaunchFacts(
            registers=compiled.n_regs,
            shared_bytes=compiled.metadata.shared,
            local_bytes=4 * compiled.n_spills,
            max_block_size=MOST_ELEMENTS,
        )

    def occupancy(self, kernel, facts, *, threads, shared_bytes):
        threads = cuda.WARP * self._compiled(kernel).metadata.num_warps
        return super().occupancy(kernel, facts, threads=threads, shared_bytes=shared_bytes)

    @staticmethod
    def _compiled(kernel):
        """Return the last compiled kernel in the `device_caches` of a JITFunction, or None."""
        function = kernel if hasattr(kernel, "device_caches") else getattr(kernel, "fn", None)
        caches = getattr(function, "device_caches", {}).values()
        return next((compiled for cache, *_ in caches for compiled in reversed(cache.values())), None)
