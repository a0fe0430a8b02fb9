"""CUDA C through cuda.core, a thread a body, the others from global memory and its caches."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("nbody.cu",)


def prepare(case):
    nbody = ObjectCode.from_fatbin(case.artifact("nbody.cu")).get_kernel(f"nbody_{case.dtype}")
    config, n = LaunchConfig(grid=case.blocks(), block=case.block_size), np.int64(case.size)

    def run(position, mass, softening, acceleration):
        launch(case.stream, config, nbody, n, position.ptr, mass.ptr, softening, acceleration.ptr)

    return run
