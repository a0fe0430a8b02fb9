"""a * x + y with NumPy, two new arrays each time."""


def run(a, x, y, out):
    return a * x + y
