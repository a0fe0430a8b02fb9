"""NumPy expression a * x + b * y; returns a new array."""


def run(a, x, b, y, z):
    return a * x + b * y
