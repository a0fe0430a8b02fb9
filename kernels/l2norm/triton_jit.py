"""Triton kernel, a program for each row, which adds up its squares block by block."""

import triton
import triton.language as tl

PARAMETERS = ("block_size",)


@triton.jit
def l2norm(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    squares = tl.zeros((BLOCK,), x.dtype.element_ty)
    for first in range(0, columns, BLOCK):
        j = first + tl.arange(0, BLOCK)
        element = tl.load(x + row * columns + j, j < columns, other=0)
        squares += element * element
    tl.store(out + row, tl.sqrt(tl.sum(squares)))


def prepare(case):
    def run(x, out):
        if len(out):
            l2norm[(len(out),)](x, out, x.shape[1], BLOCK=case.block_size)

    return run
