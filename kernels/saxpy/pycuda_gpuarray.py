"""PyCUDA GPUArray.mul_add: a * x + 1 * y in one pass."""


def prepare(case):
    return lambda a, x, y, out: x.mul_add(a, y, 1, out=out, stream=case.stream)
