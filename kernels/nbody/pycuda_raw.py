"""CUDA C through PyCUDA's prepared call, a thread a body, the others from global memory and its caches."""

import numpy as np
from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("nbody.cu",)


def prepare(case):
    module, real = driver.module_from_file(case.artifact("nbody.cu")), np.dtype(case.dtype).char
    nbody = module.get_function(f"nbody_{case.dtype}").prepare(("q", "P", "P", real, "P"))
    launch = (case.blocks(), 1), (case.block_size, 1, 1), case.stream, case.size

    def run(position, mass, softening, acceleration):
        arrays = position.gpudata, mass.gpudata, softening, acceleration.gpudata
        nbody.prepared_async_call(*launch, *arrays)

    return run
