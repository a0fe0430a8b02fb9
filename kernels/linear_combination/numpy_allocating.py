"""NumPy expression a * x + b * y; each call creates three new arrays."""


def run(a, x, b, y, z):
    return a * x + b * y
