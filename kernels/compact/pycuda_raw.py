"""CUDA C through PyCUDA, one thread per element: flags, their scan block by block, a scatter by its sums."""

import numpy as np
from pycuda import driver, gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("compact.cu",)


def prepare(case):
    if case.block_size == 1:
        raise NotImplementedError("blocks of one thread leave as many sums as there are elements")
    module, n, stream = driver.module_from_file(case.artifact("compact.cu")), case.size, case.stream
    types = {f"flag_{case.dtype}": "qPP", "scan": "qPP", "add": "qPP", f"scatter_{case.dtype}": "qPPPP"}
    flag, scan, add, scatter = (module.get_function(name).prepare(given) for name, given in types.items())
    grid, block, shared_bytes = (case.blocks(), 1), (case.block_size, 1, 1), 8 * case.block_size
    kept, count = gpuarray.empty(max(n, 1), np.int64), gpuarray.empty((), np.int64)
    levels = [gpuarray.empty(case.blocks(), np.int64)]  # the blocks' sums, then the sums of blocks of sums
    while levels[-1].size > 1:
        levels.append(gpuarray.empty(case.blocks(n=levels[-1].size), np.int64))

    def sum_up(counts, length, level=0):
        sums = levels[level]
        parts = (sums.size, 1), block, stream, length, counts.gpudata, sums.gpudata
        scan.prepared_async_call(*parts, shared_size=shared_bytes)
        if sums.size > 1:
            sum_up(sums, sums.size, level + 1)
            add.prepared_async_call(*parts)

    def run(x, out):
        flag.prepared_async_call(grid, block, stream, n, x.gpudata, kept.gpudata)
        sum_up(kept, n)
        scatter.prepared_async_call(grid, block, stream, n, x.gpudata, kept.gpudata, out.gpudata, count.gpudata)
        return count

    return run
