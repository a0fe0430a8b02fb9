"""List comprehension over Python floats, in double precision always.

Where NumPy makes infinity of numbers too large to be squared, Python raises OverflowError.
"""


def convert(x, y):
    return x.tolist(), y.tolist()


def run(x, y, out):
    return [(p - q) ** 2 for p, q in zip(x, y, strict=True)]
