"""Stockham's algorithm in CUDA C through cupy.RawModule, a launch for each stage, one thread per two elements."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("fft.cu",)


def prepare(case):
    n, block = case.size, case.block_size
    if n < 2 or n & (n - 1):
        raise NotImplementedError("powers of two alone, from 2 on")
    stage = cp.RawModule(path=case.artifact("fft.cu")).get_function(f"fft_{case.dtype}")
    roots = cp.asarray(np.exp(-2j * np.pi / n * np.arange(n // 2)).astype(case.dtype))
    scratch = cp.empty(n, case.dtype)
    blocks, size = case.blocks(2), np.int64(n)
    lengths = [np.int64(1 << s) for s in range(n.bit_length() - 1)]

    def run(x, out):
        source, target, other = x, *((out, scratch) if len(lengths) % 2 else (scratch, out))
        for length in lengths:  # from one array to the other and back, so as to end in out
            stage((blocks,), (block,), (size, length, source, target, roots))
            source, target, other = target, other, target

    return run
