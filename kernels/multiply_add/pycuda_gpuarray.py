"""x1 * x2 + b with PyCUDA's GPUArray, two kernels and two new arrays each time."""


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA computes new arrays of at least one element")
    return lambda x1, x2, b, out: x1 * x2 + b
