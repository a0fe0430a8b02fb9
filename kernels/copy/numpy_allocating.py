"""x.copy() with NumPy, a new array each time."""


def run(x, out):
    return x.copy()
