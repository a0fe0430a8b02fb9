"""NumPy expression a * x + y. Each call creates a temporary array and returns a new array."""


def run(a, x, y, out):
    return a * x + y
