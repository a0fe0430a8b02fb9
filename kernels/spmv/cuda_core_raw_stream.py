"""CUDA C through cuda.core, the elements of a block's rows fetched in order of memory, summed in shared memory."""

import numpy as np
from cuda.core import LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("spmv.cu",)
ELEMENTS = 5  # of the matrix per thread at a time, as in spmv.cu


def prepare(case):
    spmv = ObjectCode.from_fatbin(case.artifact("spmv.cu")).get_kernel(f"spmv_stream_{case.dtype}")
    rows, shared_bytes = case.size**2, ELEMENTS * case.block_size * case.itemsize
    config = LaunchConfig(grid=case.blocks(n=rows), block=case.block_size, shmem_size=shared_bytes)

    def run(*arrays):
        launch(case.stream, config, spmv, np.int64(rows), *(array.ptr for array in arrays))

    run.shared_bytes = shared_bytes
    return run
