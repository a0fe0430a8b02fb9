"""CUDA C. Each thread computes `each` vectors of 16 bytes."""

import cupy as cp

PARAMETERS = {"block_size": (128, 256, 512), "each": (1, 4)}
SOURCES = ("peak_triad.cu",)


def prepare(case):
    module = cp.RawModule(path=case.artifact("peak_triad.cu"))
    peak_triad = module.get_function(f"peak_triad_{case.dtype}_{case.each}")
    blocks = case.blocks(16 // case.itemsize * case.each)
    return lambda a, x, y, out: peak_triad((blocks,), (case.block_size,), (case.size, a, x, y, out))
