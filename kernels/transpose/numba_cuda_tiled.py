"""Numba CUDA kernel through a tile in shared memory, with bank conflicts in its columns."""

import numba
from numba import cuda

PARAMETERS = ("block_size",)
SHARED_MEMORY = 48 * 1024  # maximum that a kernel can declare, in bytes


def prepare(case):
    (bx, by), (tiles, _), real = case.block_size, case.blocks(), getattr(numba, case.dtype)
    width = bx
    if bx * width * case.itemsize > SHARED_MEMORY:
        raise NotImplementedError(f"needs more than {SHARED_MEMORY} bytes of shared memory")

    @cuda.jit
    def transpose(x, out):
        tile = cuda.shared.array((bx, width), real)
        me_x, me_y, n = cuda.threadIdx.x, cuda.threadIdx.y, x.shape[0]
        left, top = cuda.blockIdx.x * bx, cuda.blockIdx.y * bx
        for v in range(me_y, bx, by):
            if top + v < n and left + me_x < n:
                tile[v, me_x] = x[top + v, left + me_x]
        cuda.syncthreads()
        for v in range(me_y, bx, by):
            if left + v < n and top + me_x < n:
                out[left + v, top + me_x] = tile[me_x, v]

    return transpose[(tiles, tiles), (bx, by), case.stream]
