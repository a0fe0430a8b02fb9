"""CUDA C, one thread per element, precompiled, launched through cupy.RawModule."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("elementwise_trig.cu",)


def prepare(case):
    module = cp.RawModule(path=case.artifact("elementwise_trig.cu"))
    trig = module.get_function(f"elementwise_trig_{case.dtype}")
    grid, block = (case.blocks(),), (case.block_size,)
    return lambda x, out: trig(grid, block, (case.size, x, out))
