"""List comprehension over Python floats, in double precision always."""

from math import cos, sin


def convert(x):
    return (x.tolist(),)


def run(x, out):
    return [sin(p) ** 2 + cos(p) ** 2 for p in x]
