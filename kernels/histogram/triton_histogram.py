"""Triton kernel: each program adds up tl.histogram of strided blocks, then adds its counts by atomics."""

import triton
import triton.language as tl

PARAMETERS = ("block_size",)
PROGRAMS = 1024  # maximum number of programs; limits how many additions compete for a counter
MOST_BINS = 4096  # maximum number of bins that a program keeps in registers


@triton.jit
def histogram(x, counts, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    mine = tl.zeros((BINS,), tl.int32)
    for first in range(tl.program_id(0).to(tl.int64) * BLOCK, n, tl.num_programs(0) * BLOCK):
        i = first + tl.arange(0, BLOCK)
        bins = (tl.load(x + i, i < n, other=0) * BINS).to(tl.int32)
        mine += tl.histogram(bins, BINS, i < n)
    tl.atomic_add(counts + tl.arange(0, BINS), mine)


def prepare(case):
    grid, bins = (min(case.blocks(), PROGRAMS),), 2 ** int(case.options["bits"])
    if bins > MOST_BINS:
        raise NotImplementedError(f"{bins} bins do not fit the registers: the limit is {MOST_BINS}")

    def run(x, counts):
        counts.zero_()
        histogram[grid](x, counts, case.size, BINS=bins, BLOCK=case.block_size)

    return run
