"""CUDA C, one block, compiled ahead of time, through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("trace.cu",)


def prepare(case):
    trace = cp.RawModule(path=case.artifact("trace.cu")).get_function(f"trace_{case.dtype}")
    total = cp.empty((), case.dtype)
    shared_bytes = case.block_size * total.itemsize

    def run(a):
        trace((1,), (case.block_size,), (case.size, a, total), shared_mem=shared_bytes)
        return total

    return run
