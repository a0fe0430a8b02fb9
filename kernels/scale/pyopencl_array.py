"""x * factor with pyopencl.array, a new array each time; it adds 0 besides, which makes 0 of -0."""


def run(factor, x, y):
    return x * factor
