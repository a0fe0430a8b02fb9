"""x + y with NumPy, a new array each time."""


def run(x, y, out):
    return x + y
