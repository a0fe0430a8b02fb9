# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loop: OpenMP threads share the bodies; with fast-math, SIMD lanes compute each sum."""

FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}

from cython cimport floating
from cython.parallel cimport prange
from libc.math cimport sqrt, sqrtf


cdef void attract(
    const floating[:, ::1] r, const floating[::1] mass, floating softening, floating[:, ::1] acceleration, Py_ssize_t i
) noexcept nogil:
    cdef floating ax = 0, ay = 0, az = 0, dx, dy, dz, square, weight
    cdef Py_ssize_t j
    for j in range(mass.shape[0]):
        dx, dy, dz = r[0, j] - r[0, i], r[1, j] - r[1, i], r[2, j] - r[2, i]
        square = dx * dx + dy * dy + dz * dz + softening
        weight = mass[j] / (square * (sqrtf(square) if floating is float else sqrt(square)))
        ax += weight * dx
        ay += weight * dy
        az += weight * dz
    acceleration[0, i], acceleration[1, i], acceleration[2, i] = ax, ay, az


def nbody(const floating[:, ::1] position, const floating[::1] mass, floating softening, floating[:, ::1] acceleration):
    cdef Py_ssize_t i
    for i in prange(mass.shape[0], nogil=True, schedule="static"):
        attract(position, mass, softening, acceleration, i)


def prepare(case):
    return nbody[case.ctype]
