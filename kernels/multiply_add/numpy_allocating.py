"""x1 * x2 + b with NumPy, two new arrays each time."""


def run(x1, x2, b, out):
    return x1 * x2 + b
