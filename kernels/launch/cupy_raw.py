"""An empty CUDA C kernel, precompiled, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("launch.cu",)


def prepare(case):
    nothing = cp.RawModule(path=case.artifact("launch.cu")).get_function(f"launch_{case.dtype}")
    block = case.block_size
    return lambda x: nothing((1,), (block,), (x,))
