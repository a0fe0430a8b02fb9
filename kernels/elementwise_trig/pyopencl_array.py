"""pyopencl.array and its mathematical functions; each operation makes a new array."""

from pyopencl import clmath


def run(x, out):
    sine, cosine = clmath.sin(x), clmath.cos(x)
    return sine * sine + cosine * cosine
