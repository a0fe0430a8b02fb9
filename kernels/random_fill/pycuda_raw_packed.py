"""CUDA C hashing a counter (SplitMix64), one thread per 16 bytes, compiled ahead, launched through PyCUDA."""

from itertools import count

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("random_fill_packed.cu",)


def prepare(case):
    module, n, stream = driver.module_from_file(case.artifact("random_fill_packed.cu")), case.size, case.stream
    random_fill = module.get_function(f"random_fill_{case.dtype}").prepare("qQP")
    grid, block, drawn = (case.blocks(16 // case.itemsize), 1), (case.block_size, 1, 1), count(0, n)
    return lambda out: random_fill.prepared_async_call(grid, block, stream, n, next(drawn), out.gpudata)
