"""Stockham's algorithm in Python compiled by numba.cuda.jit, a launch for each stage, one thread per two elements."""

import numpy as np
from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def stage(length, source, target, roots):
    half = target.size // 2
    stride, i = half // length, cuda.grid(1)
    if i < half:
        k = i // stride
        even, odd = source[i + k * stride], roots[k * stride] * source[i + (k + 1) * stride]
        target[i] = even + odd
        target[i + half] = even - odd


def prepare(case):
    n, block = case.size, case.block_size
    if n < 2 or n & (n - 1):
        raise NotImplementedError("powers of two alone, from 2 on")
    roots = cuda.to_device(np.exp(-2j * np.pi / n * np.arange(n // 2)).astype(case.dtype))
    scratch = cuda.device_array(n, case.dtype)
    launch = stage[case.blocks(2), block, case.stream]
    lengths = [1 << s for s in range(n.bit_length() - 1)]

    def run(x, out):
        source, target, other = x, *((out, scratch) if len(lengths) % 2 else (scratch, out))
        for length in lengths:  # from one array to the other and back, so as to end in out
            launch(length, source, target, roots)
            source, target, other = target, other, target

    return run
