# cython: language_level=3
"""Cython def function with a typed argument, called in a compiled loop like any Python function."""


def add_one(double x):
    return x + 1


def prepare(case):
    cdef Py_ssize_t size = case.size

    def run(double x):
        cdef Py_ssize_t i
        for i in range(size):
            x = add_one(x)
        return x

    return run
