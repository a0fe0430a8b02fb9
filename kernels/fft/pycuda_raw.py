"""Stockham's algorithm in CUDA C through PyCUDA's prepared call, a launch a stage, one thread per two elements."""

import numpy as np
from pycuda import driver, gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("fft.cu",)


def prepare(case):
    n, stream = case.size, case.stream
    if n < 2 or n & (n - 1):
        raise NotImplementedError("powers of two alone, from 2 on")
    stage = driver.module_from_file(case.artifact("fft.cu")).get_function(f"fft_{case.dtype}").prepare("qqPPP")
    roots = gpuarray.to_gpu(np.exp(-2j * np.pi / n * np.arange(n // 2)).astype(case.dtype))
    scratch = gpuarray.empty(n, case.dtype)
    grid, block = (case.blocks(2), 1), (case.block_size, 1, 1)
    lengths = [1 << s for s in range(n.bit_length() - 1)]

    def run(x, out):
        source, target, other = x, *((out, scratch) if len(lengths) % 2 else (scratch, out))
        for length in lengths:  # from one array to the other and back, so as to end in out
            arrays = source.gpudata, target.gpudata, roots.gpudata
            stage.prepared_async_call(grid, block, stream, n, length, *arrays)
            source, target, other = target, other, target

    return run
