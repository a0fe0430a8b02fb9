"""CUDA C through cuda.core, one thread per point."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("mandelbrot.cu",)


def prepare(case):
    mandelbrot = ObjectCode.from_fatbin(case.artifact("mandelbrot.cu")).get_kernel(f"mandelbrot_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(), block=case.block_size), np.int64(case.size)
    return lambda x, y, limit, counts: launch(case.stream, config, mandelbrot, n, x.ptr, y.ptr, limit, counts.ptr)
