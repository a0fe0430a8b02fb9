"""Triton kernel, one block of elements per program. The annotation keeps Triton from rounding `a` to float32."""

import triton
import triton.language as tl

PARAMETERS = ("block_size",)


@triton.jit
def saxpy(a: tl.float64, x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    a = tl.full((), a, out.dtype.element_ty)
    tl.store(out + i, a * tl.load(x + i, inside) + tl.load(y + i, inside), inside)


def prepare(case):
    grid = (case.blocks(),)

    def run(a, x, y, out):
        saxpy[grid](a, x, y, out, case.size, BLOCK=case.block_size)

    return run
