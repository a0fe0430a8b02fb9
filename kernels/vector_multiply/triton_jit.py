"""Triton kernel, one block of elements per program."""

import triton
import triton.language as tl

PARAMETERS = ("block_size",)


@triton.jit
def vector_multiply(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out + i, tl.load(x + i, inside) * tl.load(y + i, inside), inside)


def prepare(case):
    grid = (case.blocks(),)

    def run(x, y, out):
        vector_multiply[grid](x, y, out, case.size, BLOCK=case.block_size)

    return run
