"""CUDA C through cuda.core, four points of a column per thread, from registers."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("stencil_register_tiled.cu",)
ROWS = 4  # per thread, as in stencil_register_tiled.cu


def prepare(case):
    module = ObjectCode.from_fatbin(case.artifact("stencil_register_tiled.cu"))
    stencil = module.get_kernel(f"stencil_register_tiled_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks((1, ROWS)), block=case.block_size), np.int64(case.size)
    return lambda x, out: launch(case.stream, config, stencil, n, x.ptr, out.ptr)
