"""Numba CUDA kernel, one thread per body, which reads the others from global memory."""

import math

from numba import cuda

PARAMETERS = ("block_size",)
VARIANTS = {"fast": ("fastmath=True",)}


def nbody(position, mass, softening, acceleration):
    i, n = cuda.grid(1), mass.size
    if i < n:
        x, y, z = position[0, i], position[1, i], position[2, i]
        ax = ay = az = softening - softening
        for j in range(n):
            dx, dy, dz = position[0, j] - x, position[1, j] - y, position[2, j] - z
            square = dx * dx + dy * dy + dz * dz + softening
            weight = mass[j] / (square * math.sqrt(square))
            ax += weight * dx
            ay += weight * dy
            az += weight * dz
        acceleration[0, i], acceleration[1, i], acceleration[2, i] = ax, ay, az


def prepare(case):
    compiled = cuda.jit(nbody, fastmath=case.variant == "fast")
    return compiled[case.blocks(), case.block_size, case.stream]
