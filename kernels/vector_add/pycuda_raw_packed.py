"""CUDA C, one thread per 16 bytes of each vector, compiled ahead, launched through PyCUDA's prepared call."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("vector_add_packed.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("vector_add_packed.cu"))
    vector_add = module.get_function(f"vector_add_{case.dtype}").prepare("qPPP")
    grid, block = (case.blocks(16 // case.itemsize), 1), (case.block_size, 1, 1)

    def run(x, y, out):
        vector_add.prepared_async_call(grid, block, case.stream, case.size, x.gpudata, y.gpudata, out.gpudata)

    return run
