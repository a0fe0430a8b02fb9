"""x * y with NumPy, which makes a new array in every call."""


def run(x, y, out):
    return x * y
