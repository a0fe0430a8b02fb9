"""(x - y) ** 2 with NumPy, two new arrays each time."""


def run(x, y, out):
    return (x - y) ** 2
