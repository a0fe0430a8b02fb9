"""Numba CUDA kernel, one thread per node of an element."""

from math import comb

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def dg_derivative(matrices, u, factors, out):
    nodes = u.shape[1]
    element, node = cuda.grid(1) // nodes, cuda.grid(1) % nodes
    if element < u.shape[0]:
        r = s = t = u.dtype.type(0)
        for b in range(nodes):
            value = u[element, b]
            r += value * matrices[b, 0, node]
            s += value * matrices[b, 1, node]
            t += value * matrices[b, 2, node]
        for i in range(3):
            own = factors[element, i]
            out[element, i, node] = own[0] * r + own[1] * s + own[2] * t


def prepare(case):
    blocks = case.blocks(n=case.size * comb(case.options["order"] + 3, 3))
    return dg_derivative[blocks, case.block_size, case.stream]
