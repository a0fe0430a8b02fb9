"""Sum over two lists of Python floats, in double precision always."""

from operator import mul


def convert(x, y):
    return x.tolist(), y.tolist()


def run(x, y):
    return sum(map(mul, x, y))
