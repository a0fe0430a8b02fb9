"""Triton kernel, a block of elements a program; b would be rounded to single precision without its type."""

import triton
import triton.language as tl

PARAMETERS = ("block_size",)


@triton.jit
def multiply_add(x1, x2, b: tl.float64, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    b = tl.full((), b, out.dtype.element_ty)
    tl.store(out + i, tl.load(x1 + i, inside) * tl.load(x2 + i, inside) + b, inside)


def prepare(case):
    grid = (case.blocks(),)

    def run(x1, x2, b, out):
        multiply_add[grid](x1, x2, b, out, case.size, BLOCK=case.block_size)

    return run
