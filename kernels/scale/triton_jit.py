"""Triton kernel, one block of elements per program, measured with 1, 2, 4 and 8 warps."""

import triton
import triton.language as tl

PARAMETERS = {"block_size": None, "num_warps": (1, 2, 4, 8)}


@triton.jit
def scale(factor: tl.float64, x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    factor = tl.full((), factor, y.dtype.element_ty)
    tl.store(y + i, factor * tl.load(x + i, inside), inside)


def prepare(case):
    grid = (case.blocks(),)

    def run(factor, x, y):
        scale[grid](factor, x, y, case.size, BLOCK=case.block_size, num_warps=case.num_warps)

    return run
