"""CUDA C through cuda.core, a thread a body, the others tile by tile in shared memory."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("nbody_tiled.cu",)


def prepare(case):
    nbody = ObjectCode.from_fatbin(case.artifact("nbody_tiled.cu")).get_kernel(f"nbody_tiled_{case.dtype}")
    shared_bytes, n = 4 * case.block_size * case.itemsize, np.int64(case.size)
    config = LaunchConfig(grid=case.blocks(), block=case.block_size, shmem_size=shared_bytes)

    def run(position, mass, softening, acceleration):
        launch(case.stream, config, nbody, n, position.ptr, mass.ptr, softening, acceleration.ptr)

    run.shared_bytes = shared_bytes
    return run
