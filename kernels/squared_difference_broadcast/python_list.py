"""List comprehensions over rows of Python floats, in double precision always.

Where NumPy makes infinity of numbers too large to be squared, Python raises OverflowError.
"""


def convert(x, y):
    return x.tolist(), y.tolist()


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("a list of no rows does not know how many columns they have")
    return lambda x, y, out: [[(p - q) ** 2 for p, q in zip(row, y, strict=True)] for row in x]
