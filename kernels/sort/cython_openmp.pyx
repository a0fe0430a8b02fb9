# distutils: language = c++
# cython: language_level=3, boundscheck=False, wraparound=False
"""std::sort of a copy, called from Cython in C++; the GNU library's threads sort and merge parts."""

FLAGS = ("-fopenmp", "-D_GLIBCXX_PARALLEL")

from cython cimport floating
from libcpp.algorithm cimport copy, sort


def sort_copy(const floating[::1] x, floating[::1] out):
    cdef Py_ssize_t n = x.shape[0]
    if n:
        copy(&x[0], &x[0] + n, &out[0])
        sort(&out[0], &out[0] + n)


def prepare(case):
    return sort_copy[case.ctype]
