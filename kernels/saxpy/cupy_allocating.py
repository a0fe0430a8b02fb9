"""a * x + y with CuPy, two new arrays each time, from its memory pool."""


def run(a, x, y, out):
    return a * x + y
