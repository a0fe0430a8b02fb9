# cython: language_level=3, boundscheck=False, wraparound=False
"""Cython prange loop with OpenMP threads, scheduled dynamically by row, since rows take different times."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange
from libc.stdint cimport int32_t


cdef int32_t steps(floating a, floating b, int32_t limit) noexcept nogil:
    cdef floating re = 0, im = 0
    cdef int32_t step = 0
    while step < limit and re * re + im * im <= 4:
        re, im = re * re - im * im + a, 2 * re * im + b
        step += 1
    return step


def mandelbrot(const floating[::1] x, const floating[::1] y, int32_t limit, int32_t[:, ::1] counts):
    cdef Py_ssize_t i, j
    for i in prange(y.shape[0], nogil=True, schedule="dynamic"):
        for j in range(x.shape[0]):
            counts[i, j] = steps(x[j], y[i], limit)


def prepare(case):
    return mandelbrot[case.ctype]
