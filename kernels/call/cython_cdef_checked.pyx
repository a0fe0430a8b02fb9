# cython: language_level=3
"""Cython cdef function without noexcept: the caller checks for an exception after each call."""


cdef double add_one(double x) nogil:
    return x + 1


def prepare(case):
    cdef Py_ssize_t size = case.size

    def run(double x):
        cdef Py_ssize_t i
        for i in range(size):
            x = add_one(x)
        return x

    return run
