"""Triton kernel, a block of elements a program; a and b would be rounded to single precision without their type."""

import triton
import triton.language as tl

PARAMETERS = ("block_size",)


@triton.jit
def linear_combination(a: tl.float64, x, b: tl.float64, y, z, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    a = tl.full((), a, z.dtype.element_ty)
    b = tl.full((), b, z.dtype.element_ty)
    tl.store(z + i, a * tl.load(x + i, inside) + b * tl.load(y + i, inside), inside)


def prepare(case):
    grid = (case.blocks(),)

    def run(a, x, b, y, z):
        linear_combination[grid](a, x, b, y, z, case.size, BLOCK=case.block_size)

    return run
