"""x[::3].copy() with NumPy, a new array each time."""


def run(x, out):
    return x[::3].copy()
