"""x * factor with PyCUDA's GPUArray, a new array each time."""


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA computes new arrays of at least one element")
    return lambda factor, x, y: x * factor
