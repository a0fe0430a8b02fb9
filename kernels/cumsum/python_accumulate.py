"""itertools.accumulate over a list of Python floats, in double precision always."""

from itertools import accumulate


def convert(x):
    return (x.tolist(),)


def run(x, out):
    return list(accumulate(x))
