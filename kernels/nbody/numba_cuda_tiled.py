"""Numba CUDA kernel, one thread per body. Threads read the other bodies from shared memory, tile by tile."""

import math

from numba import cuda

PARAMETERS = ("block_size",)
VARIANTS = {"fast": ("fastmath=True",)}


def nbody(position, mass, softening, acceleration):
    tile = cuda.shared.array(0, mass.dtype)
    i, n, me, block = cuda.grid(1), mass.size, cuda.threadIdx.x, cuda.blockDim.x
    x = y = z = ax = ay = az = softening - softening
    if i < n:  # other threads only load bodies
        x, y, z = position[0, i], position[1, i], position[2, i]
    # idea: a tile of bodies in shared memory, read by all threads of the block
    for start in range(0, n, block):
        mine = start + me
        if mine < n:
            for k in range(3):
                tile[4 * me + k] = position[k, mine]
            tile[4 * me + 3] = mass[mine]
        cuda.syncthreads()
        for k in range(min(block, n - start)):
            dx, dy, dz = tile[4 * k] - x, tile[4 * k + 1] - y, tile[4 * k + 2] - z
            square = dx * dx + dy * dy + dz * dz + softening
            weight = tile[4 * k + 3] / (square * math.sqrt(square))
            ax += weight * dx
            ay += weight * dy
            az += weight * dz
        cuda.syncthreads()
    # end of idea
    if i < n:
        acceleration[0, i], acceleration[1, i], acceleration[2, i] = ax, ay, az


def prepare(case):
    compiled = cuda.jit(nbody, fastmath=case.variant == "fast")
    return compiled[case.blocks(), case.block_size, case.stream, 4 * case.block_size * case.itemsize]
