"""x.copy() with NumPy; each call makes a new array."""


def run(x, out):
    return x.copy()
