"""CUDA C through cupy.RawModule, a thread a body, the others from global memory and its caches."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("nbody.cu",)


def prepare(case):
    nbody = cp.RawModule(path=case.artifact("nbody.cu")).get_function(f"nbody_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)

    def run(position, mass, softening, acceleration):
        nbody(grid, block, (case.size, position, mass, softening, acceleration))

    return run
