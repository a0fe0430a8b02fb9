"""An empty CUDA C kernel in a string, called as in PyCUDA's lectures: every call inspects its arguments."""

from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)


def prepare(case):
    module = SourceModule("__global__ void nothing(double *x) {}")
    nothing = module.get_function("nothing")
    block, stream = (case.block_size, 1, 1), case.stream
    return lambda x: nothing(x, grid=(1, 1), block=block, stream=stream)
