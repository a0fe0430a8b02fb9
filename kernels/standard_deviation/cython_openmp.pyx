# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loop: one pass by the shifted formula, with OpenMP threads and, with fast-math, SIMD lanes.

If a square overflows, the result may be NaN, whereas numpy.std returns infinity.
"""

ALGORITHM = "one pass"
FLAGS = ("-fopenmp",)
VARIANTS = {"fast": ("-ffast-math",)}

from cython cimport floating
from cython.parallel cimport prange
from libc.math cimport sqrt


def deviation(const floating[::1] x):
    cdef double total = 0, squares = 0, origin = x[0] if x.shape[0] else 0
    cdef Py_ssize_t i
    for i in prange(x.shape[0], nogil=True, schedule="static"):
        total += x[i] - origin
        squares += (x[i] - origin) ** 2
    return sqrt(squares / x.shape[0] - (total / x.shape[0]) ** 2)


def prepare(case):
    return deviation[case.ctype]
