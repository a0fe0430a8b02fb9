"""CUDA C, one block per row, compiled ahead of time, through PyCUDA."""

import numpy as np
import pycuda.driver as cuda

PARAMETERS = ("block_size",)
SOURCES = ("l2norm.cu",)


def prepare(case):
    module = cuda.module_from_file(case.artifact("l2norm.cu"))
    l2norm = module.get_function(f"l2norm_{case.dtype}").prepare("qqPP")
    grid, block = (max(1, case.size), 1), (case.block_size, 1, 1)
    shape, shared_bytes = (case.size, case.options["columns"]), case.block_size * np.dtype(case.dtype).itemsize

    def run(x, out):
        arrays = x.gpudata, out.gpudata
        l2norm.prepared_async_call(grid, block, case.stream, *shape, *arrays, shared_size=shared_bytes)

    run.kernel, run.shared_bytes = l2norm, shared_bytes
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
