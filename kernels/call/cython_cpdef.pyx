# cython: language_level=3
"""Cython cpdef function, called in a compiled loop as a C function."""


cpdef double add_one(double x) noexcept:
    return x + 1


def prepare(case):
    cdef Py_ssize_t size = case.size

    def run(double x):
        cdef Py_ssize_t i
        for i in range(size):
            x = add_one(x)
        return x

    return run
