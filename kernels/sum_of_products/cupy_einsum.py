"""cupy.einsum: the library chooses, among others cuBLAS's batched matrix product; returns a new array."""

import cupy as cp


def run(x, y, out):
    return cp.einsum("ij,ij->i", x, y)
