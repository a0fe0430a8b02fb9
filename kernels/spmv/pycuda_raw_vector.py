"""CUDA C with several threads per row (4, or a warp of 32), through PyCUDA's prepared call."""

from pycuda import driver

PARAMETERS = {"block_size": None, "lanes": (4, 32)}
SOURCES = ("spmv.cu",)


def prepare(case):
    lanes = case.lanes
    if case.block_size % lanes:
        raise NotImplementedError(f"{lanes} threads per row need a block size that is a multiple of {lanes}")
    module = driver.module_from_file(case.artifact("spmv.cu"))
    spmv = module.get_function(f"spmv_vector_{case.dtype}").prepare("qPPPPPi")
    rows, stream, block = case.size**2, case.stream, (case.block_size, 1, 1)
    grid = case.blocks(n=rows * lanes), 1

    def run(*arrays):
        spmv.prepared_async_call(grid, block, stream, rows, *(array.gpudata for array in arrays), lanes)

    return run
