"""pyopencl.array's mul_add: the same in one kernel, into a new array."""


def run(a, x, b, y, z):
    return x.mul_add(a, y, b)
