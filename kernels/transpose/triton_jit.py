"""Triton kernel, one tile per program, transposed by tl.trans through shared memory."""

import triton
import triton.language as tl

PARAMETERS = ("block_size",)


@triton.jit
def transpose(x, out, n, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    i = tl.program_id(1).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    j = tl.program_id(0).to(tl.int64) * COLUMNS + tl.arange(0, COLUMNS)
    tile = tl.load(x + i[:, None] * n + j[None, :], (i < n)[:, None] & (j < n)[None, :])
    tl.store(out + j[:, None] * n + i[None, :], tl.trans(tile), (j < n)[:, None] & (i < n)[None, :])


def prepare(case):
    grid, (columns, rows) = case.blocks(), case.block_size

    def run(x, out):
        transpose[grid](x, out, case.size, ROWS=rows, COLUMNS=columns)

    return run
