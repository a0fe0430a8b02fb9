"""x * y with CuPy, a new array each time, from its memory pool."""


def run(x, y, out):
    return x * y
