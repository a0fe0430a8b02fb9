"""Numba CUDA kernel, one thread per number, atomic additions in global memory."""

from numba import cuda

PARAMETERS = ("block_size",)


@cuda.jit
def clear(counts):
    k = cuda.grid(1)
    if k < counts.size:
        counts[k] = 0


@cuda.jit
def histogram(x, counts):
    i = cuda.grid(1)
    if i < x.size:
        bin = x[i] * x.dtype.type(counts.size)
        if 0 <= bin < counts.size:
            cuda.atomic.add(counts, int(bin), 1)


def prepare(case):
    block, stream = case.block_size, case.stream

    def run(x, counts):
        clear[case.blocks(n=counts.size), block, stream](counts)
        histogram[case.blocks(), block, stream](x, counts)

    run.kernel = histogram
    return run
