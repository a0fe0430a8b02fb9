"""CUDA C through PyCUDA's prepared call, one thread per row."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("spmv.cu",)


def prepare(case):
    spmv = driver.module_from_file(case.artifact("spmv.cu")).get_function(f"spmv_scalar_{case.dtype}").prepare("qPPPPP")
    rows, stream, block = case.size**2, case.stream, (case.block_size, 1, 1)
    grid = case.blocks(n=rows), 1

    def run(*arrays):
        spmv.prepared_async_call(grid, block, stream, rows, *(array.gpudata for array in arrays))

    return run
