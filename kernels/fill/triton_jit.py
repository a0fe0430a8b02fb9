"""Triton kernel, a block of elements a program."""

import triton
import triton.language as tl

PARAMETERS = ("block_size",)


@triton.jit
def fill(out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out + i, 1, inside)


def prepare(case):
    grid = (case.blocks(),)

    def run(out):
        fill[grid](out, case.size, BLOCK=case.block_size)

    return run
