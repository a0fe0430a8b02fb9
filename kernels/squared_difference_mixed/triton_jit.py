"""Triton kernel, a block of elements a program."""

import triton
import triton.language as tl

PARAMETERS = ("block_size",)


@triton.jit
def squared_difference(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    difference = tl.load(x + i, inside) - tl.load(y + i, inside)
    tl.store(out + i, difference * difference, inside)


def prepare(case):
    grid = (case.blocks(),)

    def run(x, y, out):
        squared_difference[grid](x, y, out, case.size, BLOCK=case.block_size)

    return run
