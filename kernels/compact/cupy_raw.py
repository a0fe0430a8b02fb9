"""CUDA C through cupy.RawModule, one thread per element: flags, their scan block by block, a scatter by its sums."""

import cupy as cp

PARAMETERS = ("block_size",)
SOURCES = ("compact.cu",)


def prepare(case):
    if case.block_size == 1:
        raise NotImplementedError("blocks of one thread leave as many sums as there are elements")
    module, grid, block = cp.RawModule(path=case.artifact("compact.cu")), (case.blocks(),), (case.block_size,)
    flag, scatter = (module.get_function(f"{step}_{case.dtype}") for step in ("flag", "scatter"))
    scan, add, shared_bytes = module.get_function("scan"), module.get_function("add"), 8 * case.block_size
    kept, count = cp.empty(case.size, cp.int64), cp.empty((), cp.int64)
    levels = [cp.empty(case.blocks(), cp.int64)]  # the blocks' sums, then the sums of blocks of sums
    while levels[-1].size > 1:
        levels.append(cp.empty(case.blocks(n=levels[-1].size), cp.int64))

    def sum_up(counts, level=0):
        sums = levels[level]
        scan((sums.size,), block, (counts.size, counts, sums), shared_mem=shared_bytes)
        if sums.size > 1:
            sum_up(sums, level + 1)
            add((sums.size,), block, (counts.size, counts, sums))

    def run(x, out):
        flag(grid, block, (case.size, x, kept))
        sum_up(kept)
        scatter(grid, block, (case.size, x, kept, out, count))
        return count

    return run
