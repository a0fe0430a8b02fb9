"""cupy.cumsum of the mask says where each element goes, an ElementwiseKernel puts it there; nothing waits."""

import cupy as cp

PARAMETERS = ("block_size",)

move = cp.ElementwiseKernel(
    "T x, int64 kept",
    "raw T out",
    "const bool keep = x > (T)0.5; out[keep ? kept - 1 : _ind.size() - 1 - (i - kept)] = keep ? x : (T)0",
    "compact",
)


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("the last of no sums does not say how many are kept")
    block_size = case.block_size

    def run(x, out):
        kept = cp.cumsum(x > 0.5, dtype=cp.int64)
        move(x, kept, out, block_size=block_size)
        return kept[-1:]

    return run
