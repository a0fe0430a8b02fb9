"""x[::3].copy() with CuPy, a new array each time from its memory pool."""


def run(x, out):
    return x[::3].copy()
