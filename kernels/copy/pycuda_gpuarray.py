"""x.copy() with PyCUDA's GPUArray; each call makes a new array."""


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA copies arrays of at least one element")
    return lambda x, out: x.copy()
