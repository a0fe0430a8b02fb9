"""List comprehension over Python floats, in double precision always.

Sine and cosine of an infinity raise ValueError, where NumPy makes NaN.
"""

from math import cos, sin


def convert(x):
    return (x.tolist(),)


def run(x, out):
    return [sin(p) ** 2 + cos(p) ** 2 for p in x]
