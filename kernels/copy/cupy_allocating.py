"""x.copy() with CuPy, a new array each time, from its memory pool."""


def run(x, out):
    return x.copy()
