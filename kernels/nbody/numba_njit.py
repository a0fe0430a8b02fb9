"""Numba-compiled loops, fast-math: in SIMD lanes."""

import math

import numba


@numba.njit(cache=True, fastmath=True)
def run(position, mass, softening, acceleration):
    x, y, z = position
    for i in range(mass.size):
        ax = ay = az = softening - softening
        for j in range(mass.size):
            dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
            square = dx * dx + dy * dy + dz * dz + softening
            weight = mass[j] / (square * math.sqrt(square))
            ax += weight * dx
            ay += weight * dy
            az += weight * dz
        acceleration[0, i], acceleration[1, i], acceleration[2, i] = ax, ay, az
