"""pycuda.gpuarray.dot."""

from pycuda import gpuarray


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA reduces arrays of at least one element")
    return lambda x, y: gpuarray.dot(x, y, stream=case.stream)
