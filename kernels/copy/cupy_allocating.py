"""x.copy() with CuPy; each call takes a new array from CuPy's memory pool."""


def run(x, out):
    return x.copy()
