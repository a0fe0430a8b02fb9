"""CUDA C through PyCUDA's prepared call, one thread per number, counted in global memory by atomics."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("histogram.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("histogram.cu"))
    histogram = module.get_function(f"histogram_{case.dtype}").prepare("qiPP")
    grid, block, stream = (case.blocks(), 1), (case.block_size, 1, 1), case.stream

    def run(x, counts):
        driver.memset_d32_async(counts.gpudata, 0, counts.size, stream)
        histogram.prepared_async_call(grid, block, stream, case.size, counts.size, x.gpudata, counts.gpudata)

    return run
