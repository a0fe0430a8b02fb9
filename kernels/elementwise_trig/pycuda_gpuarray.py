"""PyCUDA's GPUArray and its mathematical functions; each operation makes a new array."""

from pycuda import cumath


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA computes new arrays of at least one element")

    def run(x, out):
        sine, cosine = cumath.sin(x, stream=case.stream), cumath.cos(x, stream=case.stream)
        return sine * sine + cosine * cosine

    return run
