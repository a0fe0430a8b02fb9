"""Lists of Python floats, row by row, in double precision always."""

from math import exp


def convert(x):
    return (x.tolist(),)


def softmax(row):
    top = max(row)
    exponentials = [exp(p - top) for p in row]
    total = sum(exponentials)
    return [p / total for p in exponentials]


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("a list of no rows does not know how many columns they have")
    return lambda x, out: [softmax(row) for row in x]
