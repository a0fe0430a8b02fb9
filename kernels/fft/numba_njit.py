"""Stockham's algorithm in Python, compiled by Numba."""

import numba
import numpy as np

ALGORITHM = "Stockham"


@numba.njit(cache=True)
def stage(length, source, target, roots):
    """Combine transforms of `length` elements in pairs into transforms of twice that length."""
    half = source.size // 2
    stride = half // length
    # idea: a transform plus and minus a rotated transform make a transform of twice the length
    for k in range(length):
        root = roots[k * stride]
        for i in range(k * stride, (k + 1) * stride):
            even, odd = source[i + k * stride], root * source[i + (k + 1) * stride]
            target[i] = even + odd
            target[i + half] = even - odd
    # end of idea


def prepare(case):
    n = case.size
    if n & (n - 1):
        raise NotImplementedError("only powers of two are supported")
    roots = np.exp(-2j * np.pi / max(n, 1) * np.arange(n // 2)).astype(case.dtype)
    scratch = np.empty(n, case.dtype)
    lengths = [1 << s for s in range(n.bit_length() - 1)]

    def run(x, out):
        if not lengths:
            out[:] = x
        source, target, other = x, *((out, scratch) if len(lengths) % 2 else (scratch, out))
        for length in lengths:  # stages alternate between both arrays; the last writes to out
            stage(length, source, target, roots)
            source, target, other = target, other, target

    return run
