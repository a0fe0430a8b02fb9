"""CUDA C, a bitonic network, one launch per step, compiled ahead, launched through PyCUDA's prepared call."""

from pycuda import driver

PARAMETERS = ("block_size",)
SOURCES = ("sort.cu",)


def prepare(case):
    module = driver.module_from_file(case.artifact("sort.cu"))
    sort_step = module.get_function(f"sort_step_{case.dtype}").prepare("qqiPP")
    rounds = max(1, (case.size - 1).bit_length())
    grid, block, n = (case.blocks(n=2 ** (rounds - 1)), 1), (case.block_size, 1, 1), case.size

    def run(x, out):
        given = x.gpudata
        for size in range(rounds):
            for stride in range(size, -1, -1):
                mirrored = int(stride == size)
                sort_step.prepared_async_call(grid, block, case.stream, n, 2**stride, mirrored, given, out.gpudata)
                given = out.gpudata

    return run
