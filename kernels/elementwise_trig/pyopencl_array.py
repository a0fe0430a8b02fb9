"""pyopencl.array and its mathematical functions, a new array for each step."""

from pyopencl import clmath


def run(x, out):
    sine, cosine = clmath.sin(x), clmath.cos(x)
    return sine * sine + cosine * cosine
