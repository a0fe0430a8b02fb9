"""CUDA C through PyCUDA's prepared call, one thread per element of the product, all from global memory."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("matmul.cu",)


def prepare(case):
    matmul = driver.module_from_file(case.artifact("matmul.cu")).get_function(f"matmul_{case.dtype}").prepare("qPPP")
    n, stream, grid, block = case.size, case.stream, case.blocks(), (*case.block_size, 1)
    return lambda a, b, out: matmul.prepared_async_call(grid, block, stream, n, a.gpudata, b.gpudata, out.gpudata)
