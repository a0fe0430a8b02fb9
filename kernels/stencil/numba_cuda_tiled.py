"""Numba CUDA kernel with one thread per point; a block loads its tile and halo into shared memory."""

import numba
import numpy as np
from numba import cuda

PARAMETERS = ("block_size",)


def prepare(case):
    bx, by = case.block_size
    width, height, real, fifth = bx + 2, by + 2, getattr(numba, case.dtype), np.dtype(case.dtype).type(0.2)

    @cuda.jit
    def stencil(x, out):
        tile = cuda.shared.array((height, width), real)
        me_x, me_y, n = cuda.threadIdx.x, cuda.threadIdx.y, out.shape[0]
        left, top = cuda.blockIdx.x * bx - 1, cuda.blockIdx.y * by - 1
        for v in range(me_y, height, by):
            for u in range(me_x, width, bx):
                if 0 <= top + v < n and 0 <= left + u < n:
                    tile[v, u] = x[top + v, left + u]
        cuda.syncthreads()
        j, i = cuda.grid(2)
        if i < n and j < n:
            u, v = me_x + 1, me_y + 1
            mean = tile[v, u]
            if 0 < i < n - 1 and 0 < j < n - 1:
                mean = (mean + tile[v - 1, u] + tile[v + 1, u] + tile[v, u - 1] + tile[v, u + 1]) * fifth
            out[i, j] = mean

    return stencil[case.blocks(), case.block_size, case.stream]
