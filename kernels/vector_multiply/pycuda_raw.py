"""CUDA C, compiled ahead of time, launched through PyCUDA."""

import numpy as np
import pycuda.driver as cuda

PARAMETERS = ("block_size",)
SOURCES = ("vector_multiply.cu",)


def prepare(case):
    module = cuda.module_from_file(case.artifact("vector_multiply.cu"))
    multiply = module.get_function(f"vector_multiply_{case.dtype}").prepare("qPPP")
    blocks = case.size // (16 // np.dtype(case.dtype).itemsize * case.block_size) + 1

    def run(x, y, out):
        multiply.prepared_async_call(
            (blocks, 1), (case.block_size, 1, 1), case.stream, case.size, x.gpudata, y.gpudata, out.gpudata
        )

    run.kernel = multiply
    return run
