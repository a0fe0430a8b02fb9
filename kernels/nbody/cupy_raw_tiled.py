"""CUDA C through cupy.RawModule, a thread a body, the others tile by tile in shared memory."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("nbody_tiled.cu",)


def prepare(case):
    nbody = cp.RawModule(path=case.artifact("nbody_tiled.cu")).get_function(f"nbody_tiled_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)
    shared_bytes = 4 * case.block_size * case.itemsize

    def run(position, mass, softening, acceleration):
        nbody(grid, block, (case.size, position, mass, softening, acceleration), shared_mem=shared_bytes)

    return run
