"""x * y with PyCUDA's GPUArray, which makes a new array in every call."""


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA computes new arrays of at least one element")
    return lambda x, y, out: x * y
