"""PyCUDA's GPUArray.mul_add: the same in one kernel, into an array that is there already."""


def prepare(case):
    return lambda a, x, b, y, z: x.mul_add(a, y, b, out=z, stream=case.stream)
