"""CUDA C, one thread per 16 bytes of each vector, precompiled, launched through PyCUDA's prepared call."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("vector_multiply_packed.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("vector_multiply_packed.cu"))
    multiply = module.get_function(f"vector_multiply_{case.dtype}").prepare("qPPP")
    grid, block = (case.blocks(16 // case.itemsize), 1), (case.block_size, 1, 1)

    def run(x, y, out):
        multiply.prepared_async_call(grid, block, case.stream, case.size, x.gpudata, y.gpudata, out.gpudata)

    return run
