"""CUDA C through PyCUDA's prepared call, one thread per element of the product, all from global memory."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("matmul.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("matmul.cu"))
    matmul = module.get_function(f"matmul_{case.dtype}")
    matmul.prepare("qPPP")
    n, stream, block = case.size, case.stream, (*case.block_size, 1)
    grid = tuple(max(1, -(-n // extent)) for extent in case.block_size)

    def run(a, b, out):
        matmul.prepared_async_call(grid, block, stream, n, a.gpudata, b.gpudata, out.gpudata)

    run.kernel = matmul
    run.module = module  # a module that nobody holds is unloaded, and takes its functions with it
    return run
