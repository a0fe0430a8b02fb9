"""Warp kernel, one thread per body. On a CPU, one thread computes all bodies."""

import warp as wp

PARAMETERS = {"block_size": (64, 128, 256)}


def prepare(case):
    real = getattr(wp, case.dtype)

    @wp.kernel(module="unique")
    def nbody(
        position: wp.array2d(dtype=real), mass: wp.array(dtype=real), softening: real, out: wp.array2d(dtype=real)
    ):
        i = wp.tid()
        x, y, z = position[0, i], position[1, i], position[2, i]
        ax, ay, az = real(0.0), real(0.0), real(0.0)
        for j in range(mass.shape[0]):
            dx, dy, dz = position[0, j] - x, position[1, j] - y, position[2, j] - z
            square = dx * dx + dy * dy + dz * dz + softening
            weight = mass[j] / (square * wp.sqrt(square))
            ax += weight * dx
            ay += weight * dy
            az += weight * dz
        out[0, i] = ax
        out[1, i] = ay
        out[2, i] = az

    return lambda *arrays: wp.launch(nbody, case.size, inputs=arrays, block_dim=case.block_size)
