"""CuPy in five passes over shifted slices, into a preallocated array."""

import cupy as cp


def run(x, out):
    inner = out[1:-1, 1:-1]
    cp.add(x[1:-1, 1:-1], x[:-2, 1:-1], out=inner)
    cp.add(inner, x[2:, 1:-1], out=inner)
    cp.add(inner, x[1:-1, :-2], out=inner)
    cp.add(inner, x[1:-1, 2:], out=inner)
    cp.multiply(inner, 0.2, out=inner)
    out[:1], out[-1:], out[:, :1], out[:, -1:] = x[:1], x[-1:], x[:, :1], x[:, -1:]
