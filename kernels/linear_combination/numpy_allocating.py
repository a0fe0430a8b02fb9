"""a * x + b * y with NumPy, three new arrays each time."""


def run(a, x, b, y, z):
    return a * x + b * y
