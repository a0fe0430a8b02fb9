"""CUDA C through PyCUDA, the elements of a block's rows fetched in order of memory, summed in shared memory."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("spmv.cu",)
ELEMENTS = 5  # of the matrix per thread at a time, as in spmv.cu


def prepare(case):
    spmv = driver.module_from_file(case.artifact("spmv.cu")).get_function(f"spmv_stream_{case.dtype}").prepare("qPPPPP")
    rows, stream, block = case.size**2, case.stream, (case.block_size, 1, 1)
    grid = case.blocks(n=rows), 1
    shared_bytes = ELEMENTS * case.block_size * case.itemsize

    def run(*arrays):
        spmv.prepared_async_call(
            grid, block, stream, rows, *(array.gpudata for array in arrays), shared_size=shared_bytes
        )

    return run
