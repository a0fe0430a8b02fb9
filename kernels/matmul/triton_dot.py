"""Triton kernel, a tile of the product for each program, by tl.dot in full precision."""

import triton
import triton.language as tl

PARAMETERS = {"block_size": ((32, 32), (64, 64), (128, 64)), "num_warps": (4, 8)}
DEPTH = tl.constexpr(32)  # columns of a, and rows of b, at a time


@triton.jit
def matmul(a, b, out, n, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = (tl.program_id(1).to(tl.int64) * ROWS + tl.arange(0, ROWS))[:, None]
    column = (tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    real = out.dtype.element_ty
    tile = tl.zeros((ROWS, COLUMNS), real)
    for first in range(0, n, DEPTH):
        k = first + tl.arange(0, DEPTH)
        left = tl.load(a + row * n + k[None, :], (row < n) & (k < n)[None, :], other=0)
        right = tl.load(b + k[:, None].to(tl.int64) * n + column, (k < n)[:, None] & (column < n), other=0)
        tile = tl.dot(left, right, tile, input_precision="ieee", out_dtype=real)
    tl.store(out + row * n + column, tile, (row < n) & (column < n))


def prepare(case):
    grid, (columns, rows), warps = case.blocks(), case.block_size, case.num_warps

    def run(a, b, out):
        matmul[grid](a, b, out, case.size, ROWS=rows, COLUMNS=columns, num_warps=warps)

    return run
