"""Numba prange loop without division checks: threads share the bodies; with fastmath, SIMD lanes."""

import math

import numba

PARAMETERS = ("threads",)
VARIANTS = {"fast": ("fastmath=True",)}


def nbody(position, mass, softening, acceleration):
    x, y, z = position[0], position[1], position[2]
    for i in numba.prange(mass.size):
        ax = ay = az = softening - softening
        for j in range(mass.size):
            dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
            square = dx * dx + dy * dy + dz * dz + softening
            weight = mass[j] / (square * math.sqrt(square))
            ax += weight * dx
            ay += weight * dy
            az += weight * dz
        acceleration[0, i], acceleration[1, i], acceleration[2, i] = ax, ay, az


def prepare(case):
    return numba.njit(nbody, cache=True, parallel=True, fastmath=case.variant == "fast", error_model="numpy")
