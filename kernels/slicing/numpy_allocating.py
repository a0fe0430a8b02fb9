"""NumPy expression x[::3].copy(); returns a new array."""


def run(x, out):
    return x[::3].copy()
