"""CUDA C, one block, compiled ahead of time, through cuda.core."""

import numpy as np
from cuda.core import Device, LaunchConfig, ObjectCode, launch
from cuda.core.utils import StridedMemoryView

PARAMETERS = ("block_size",)
SOURCES = ("trace.cu",)


def prepare(case):
    trace = ObjectCode.from_fatbin(case.artifact("trace.cu")).get_kernel(f"trace_{case.dtype}")
    dtype, shared_bytes = np.dtype(case.dtype), case.block_size * case.itemsize
    config = LaunchConfig(grid=1, block=case.block_size, shmem_size=shared_bytes)
    total = Device().allocate(dtype.itemsize, stream=case.stream)
    total = StridedMemoryView.from_buffer(total, (1,), dtype=dtype)

    def run(a):
        launch(case.stream, config, trace, np.int64(case.size), a.ptr, total.ptr)
        return total

    run.shared_bytes = shared_bytes
    return run
