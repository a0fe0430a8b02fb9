"""a * x + b * y with PyCUDA's GPUArray, three kernels and three new arrays each time."""


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA computes new arrays of at least one element")
    return lambda a, x, b, y, z: x * a + y * b
