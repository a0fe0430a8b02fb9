"""Stockham's algorithm with PyCUDA's arrays: each stage computes with half vectors, then reorders the results."""

import numpy as np
from pycuda import gpuarray

ALGORITHM = "Stockham"


def prepare(case):
    n, half = case.size, case.size // 2
    if n < 2 or n & (n - 1):
        raise NotImplementedError("only powers of two from 2 on are supported")
    roots = gpuarray.to_gpu(np.exp(-2j * np.pi / n * np.arange(half)).astype(case.dtype))
    scratch, powers = gpuarray.empty(n, case.dtype), gpuarray.empty(half, case.dtype)
    widths = [1 << s for s in range(n.bit_length() - 1)]

    def run(x, out):  # all work is in the default stream
        powers[:] = roots
        source, target, other = x, *((out, scratch) if len(widths) % 2 else (scratch, out))
        for width in widths:  # stages alternate between both arrays; the last writes to out
            if width > 1:  # in each pair of rows, the first replaces the second
                pairs = powers.reshape(half // width, 2, width // 2)
                pairs[:, 1] = pairs[:, 0]
            first, second = source[:half], source[half:]
            pairs, parts = target.reshape(half // width, 2, width), (half // width, width)
            pairs[:, 0] = (first + second).reshape(parts)
            pairs[:, 1] = ((first - second) * powers).reshape(parts)
            source, target, other = target, other, target

    return run
