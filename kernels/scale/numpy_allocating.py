"""factor * x with NumPy, a new array each time."""


def run(factor, x, y):
    return factor * x
