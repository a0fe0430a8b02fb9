"""Python compiled by cupyx.jit.rawkernel, a thread a body, the others from global memory and its caches."""

import cupy as cp
import numpy as np
from cupyx import jit

PARAMETERS = ("block_size",)


@jit.rawkernel()
def nbody(position, mass, softening, acceleration, n):
    i = np.int64(jit.blockIdx.x) * jit.blockDim.x + jit.threadIdx.x
    if i < n:
        x, y, z = position[0, i], position[1, i], position[2, i]
        ax, ay, az = x - x, y - y, z - z
        for j in range(n):
            dx, dy, dz = position[0, j] - x, position[1, j] - y, position[2, j] - z
            square = dx * dx + dy * dy + dz * dz + softening
            weight = mass[j] / (square * cp.sqrt(square))
            ax += weight * dx
            ay += weight * dy
            az += weight * dz
        acceleration[0, i] = ax
        acceleration[1, i] = ay
        acceleration[2, i] = az


def prepare(case):
    grid, block = (case.blocks(),), (case.block_size,)

    def run(position, mass, softening, acceleration):
        nbody(grid, block, (position, mass, softening, acceleration, case.size))

    return run
