# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Cython prange loops over parts of the vector: the first loop counts the selected elements, the second copies them."""

FLAGS = ("-fopenmp",)

from cython cimport floating
from cython.parallel cimport prange
cimport openmp


cdef Py_ssize_t number_kept(const floating[::1] x, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t i, count = 0
    for i in range(begin, end):
        count += x[i] > <floating> 0.5
    return count


cdef void keep(
    const floating[::1] x, floating[::1] out, Py_ssize_t i, Py_ssize_t place, Py_ssize_t stop
) noexcept nogil:
    while place < stop:
        out[place] = x[i]
        place += x[i] > <floating> 0.5
        i += 1


def compact(const floating[::1] x, floating[::1] out):
    cdef Py_ssize_t i, n = x.shape[0], part, parts = min(openmp.omp_get_max_threads(), 1024)
    cdef Py_ssize_t places[1025]
    places[0] = 0
    # idea: the counts of the parts before a part give its first place
    for part in prange(parts, nogil=True, schedule="static"):
        places[part + 1] = number_kept(x, n * part // parts, n * (part + 1) // parts)
    for part in range(parts):
        places[part + 1] += places[part]
    for part in prange(parts, nogil=True, schedule="static"):
        keep(x, out, n * part // parts, places[part], places[part + 1])
    # end of idea
    for i in prange(places[parts], n, nogil=True, schedule="static"):
        out[i] = 0
    return places[parts]


def prepare(case):
    return compact[case.ctype]
