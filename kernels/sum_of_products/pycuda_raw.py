"""CUDA C, one block per row, compiled ahead of time, through PyCUDA."""

import pycuda.driver as cuda

PARAMETERS = ("block_size",)
SOURCES = ("sum_of_products.cu",)


def prepare(case):
    module = cuda.module_from_file(case.artifact("sum_of_products.cu"))
    sum_of_products = module.get_function(f"sum_of_products_{case.dtype}").prepare("qqPPP")
    grid, block = (max(1, case.size), 1), (case.block_size, 1, 1)
    shape, shared_bytes = (case.size, case.options["columns"]), case.block_size * case.itemsize

    def run(x, y, out):
        arrays = x.gpudata, y.gpudata, out.gpudata
        sum_of_products.prepared_async_call(grid, block, case.stream, *shape, *arrays, shared_size=shared_bytes)

    return run
