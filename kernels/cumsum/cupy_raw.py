"""CUDA C through cupy.RawModule: blocks scan one element per thread, then add the sum of the previous blocks."""

import cupy as cp

ALGORITHM = "scan"
PARAMETERS = ("block_size",)
SOURCES = ("cumsum.cu",)


def prepare(case):
    if case.block_size == 1:
        raise NotImplementedError("blocks of one thread leave as many sums as there are elements")
    module, block = cp.RawModule(path=case.artifact("cumsum.cu")), (case.block_size,)
    scan, add = (module.get_function(f"{step}_{case.dtype}") for step in ("scan", "add"))
    shared_bytes = case.block_size * case.itemsize
    levels = [cp.empty(case.blocks(), case.dtype)]  # level 0: sums of blocks; level 1: sums of blocks of these sums
    while levels[-1].size > 1:
        levels.append(cp.empty(case.blocks(n=levels[-1].size), case.dtype))

    def run(x, out, level=0):
        sums = levels[level]
        scan((sums.size,), block, (x.size, x, out, sums), shared_mem=shared_bytes)
        if sums.size > 1:
            run(sums, sums, level + 1)
            add((sums.size,), block, (x.size, out, sums))

    return run
