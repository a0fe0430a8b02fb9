"""PyCUDA's GPUArray and its mathematical functions, a new array for each step."""

from pycuda import cumath


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA computes new arrays of at least one element")
    stream = case.stream

    def run(x, out):
        sine, cosine = cumath.sin(x, stream=stream), cumath.cos(x, stream=stream)
        return sine * sine + cosine * cosine

    return run
