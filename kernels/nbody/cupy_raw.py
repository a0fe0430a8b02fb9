"""CUDA C through cupy.RawModule, one thread per body, which reads the others from global memory."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("nbody.cu",)


def prepare(case):
    nbody = cp.RawModule(path=case.artifact("nbody.cu")).get_function(f"nbody_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)

    def run(position, mass, softening, acceleration):
        nbody(grid, block, (case.size, position, mass, softening, acceleration))

    return run
