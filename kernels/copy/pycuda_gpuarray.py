"""x.copy() with PyCUDA's GPUArray, a new array each time."""


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA copies arrays of at least one element")
    return lambda x, out: x.copy()
