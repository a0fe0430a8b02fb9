"""CUDA C in two launches, hits added up by atomics, compiled ahead of time, through PyCUDA."""

from pycuda import driver, gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("monte_carlo_pi.cu",)
BLOCKS = 2048  # at most


def prepare(case):
    module = driver.module_from_file(case.artifact("monte_carlo_pi.cu"))
    count = module.get_function(f"count_{case.dtype}").prepare("qQP")
    estimate = module.get_function("estimate").prepare("qPP")
    grid, block = (min(case.blocks(), BLOCKS), 1), (case.block_size, 1, 1)
    hits, pi = gpuarray.zeros(1, "uint64"), gpuarray.empty((), "float64")

    def run(n, seed):
        count.prepared_async_call(grid, block, case.stream, int(n), int(seed), hits.gpudata)
        estimate.prepared_async_call((1, 1), (1, 1, 1), case.stream, int(n), hits.gpudata, pi.gpudata)
        return pi

    return run
