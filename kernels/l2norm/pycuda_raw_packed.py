"""CUDA C, one block per row, 16 bytes a load, compiled ahead of time, through PyCUDA."""

import pycuda.driver as cuda

PARAMETERS = ("block_size",)
SOURCES = ("l2norm_packed.cu",)


def prepare(case):
    module = cuda.module_from_file(case.artifact("l2norm_packed.cu"))
    l2norm = module.get_function(f"l2norm_{case.dtype}").prepare("qqPP")
    grid, block = (max(1, case.size), 1), (case.block_size, 1, 1)
    shape, shared_bytes = (case.size, case.options["columns"]), case.block_size * case.itemsize

    def run(x, out):
        arrays = x.gpudata, out.gpudata
        l2norm.prepared_async_call(grid, block, case.stream, *shape, *arrays, shared_size=shared_bytes)

    return run
