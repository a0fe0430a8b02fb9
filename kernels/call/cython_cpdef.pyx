# cython: language_level=3
"""Cython cpdef, called in a loop from def: called from Cython, it is a C function."""


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
