"""CUDA C. Each thread writes `each` vectors of 16 bytes."""

import cupy as cp

PARAMETERS = {"block_size": (128, 256, 512), "each": (1, 4)}
SOURCES = ("peak_write.cu",)


def prepare(case):
    module = cp.RawModule(path=case.artifact("peak_write.cu"))
    peak_write = module.get_function(f"peak_write_{case.dtype}_{case.each}")
    blocks = case.blocks(16 // case.itemsize * case.each)
    return lambda a, out: peak_write((blocks,), (case.block_size,), (case.size, a, out))
