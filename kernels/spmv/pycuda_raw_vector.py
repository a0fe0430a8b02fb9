"""CUDA C through PyCUDA's prepared call, several threads per row: 32 are a warp per row."""

from pycuda import driver

PARAMETERS = {"block_size": None, "lanes": (4, 32)}
SOURCES = ("spmv.cu",)


def prepare(case):
    lanes = case.lanes
    if case.block_size % lanes:
        raise NotImplementedError(f"{lanes} threads a row need blocks of a multiple of {lanes}")
    spmv = driver.module_from_file(case.artifact("spmv.cu")).get_function(f"spmv_vector_{case.dtype}")
    spmv.prepare("qPPPPPi")
    rows, stream, block = case.size**2, case.stream, (case.block_size, 1, 1)
    grid = max(1, -(-rows * lanes // case.block_size)), 1

    def run(data, indices, indptr, x, y):
        arrays = (array.gpudata for array in (data, indices, indptr, x, y))
        spmv.prepared_async_call(grid, block, stream, rows, *arrays, lanes)

    return run
