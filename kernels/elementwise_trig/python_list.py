"""List comprehension over Python floats, always in double precision.

Sine and cosine of an infinity raise ValueError; NumPy returns NaN.
"""

from math import cos, sin


def convert(x):
    return (x.tolist(),)


def run(x, out):
    return [sin(p) ** 2 + cos(p) ** 2 for p in x]
