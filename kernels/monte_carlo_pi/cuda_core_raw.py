"""CUDA C in two launches, hits added up by atomics, compiled ahead of time, through cuda.core."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch
from cuda.core.utils import StridedMemoryView

PARAMETERS = ("block_size",)
SOURCES = ("monte_carlo_pi.cu",)
BLOCKS = 2048  # at most


def prepare(case):
    module, stream = ObjectCode.from_fatbin(case.artifact("monte_carlo_pi.cu")), case.stream
    count, estimate = module.get_kernel(f"count_{case.dtype}"), module.get_kernel("estimate")
    config, one = LaunchConfig(grid=min(case.blocks(), BLOCKS), block=case.block_size), LaunchConfig(grid=1, block=1)
    hits, pi = (Device().allocate(8, stream=stream) for _ in range(2))
    hits.fill(0, stream=stream)
    pi = StridedMemoryView.from_buffer(pi, (1,), dtype=np.dtype(np.float64))

    def run(n, seed):
        launch(stream, config, count, n, seed, hits)
        launch(stream, one, estimate, n, hits, pi.ptr)
        return pi

    return run
