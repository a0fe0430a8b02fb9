"""CuPy expression a * x + y; each call takes two new arrays from CuPy's memory pool."""


def run(a, x, y, out):
    return a * x + y
