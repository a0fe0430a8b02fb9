"""CUDA C through PyCUDA: each block scans its elements, one a thread; the blocks' sums likewise, then added."""

from pycuda import driver, gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("cumsum.cu",)


def prepare(case):
    if case.block_size == 1:
        raise NotImplementedError("blocks of one thread leave as many sums as there are elements")
    module, block, stream = driver.module_from_file(case.artifact("cumsum.cu")), (case.block_size, 1, 1), case.stream
    scan = module.get_function(f"scan_{case.dtype}").prepare("qPPP")
    add = module.get_function(f"add_{case.dtype}").prepare("qPP")
    shared_bytes = case.block_size * case.itemsize
    levels = [gpuarray.empty(case.blocks(), case.dtype)]  # the blocks' sums, then the sums of blocks of sums
    while levels[-1].size > 1:
        levels.append(gpuarray.empty(case.blocks(n=levels[-1].size), case.dtype))

    def run(x, out, level=0):
        sums, n = levels[level], x.size
        grid, parts = (sums.size, 1), (out.gpudata, sums.gpudata)
        scan.prepared_async_call(grid, block, stream, n, x.gpudata, *parts, shared_size=shared_bytes)
        if sums.size > 1:
            run(sums, sums, level + 1)
            add.prepared_async_call(grid, block, stream, n, *parts)

    return run
