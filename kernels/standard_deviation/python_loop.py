"""Two passes over a list of Python floats, in double precision always.

Where NumPy makes infinity of numbers too large to be squared, Python raises OverflowError.
"""

from math import nan, sqrt


def convert(x):
    return (x.tolist(),)


def run(x):
    if not x:
        return nan
    mean = sum(x) / len(x)
    return sqrt(sum((p - mean) ** 2 for p in x) / len(x))
