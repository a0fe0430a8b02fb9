"""Triton kernel: each program computes a block of points until the last point has left the circle."""

import triton
import triton.language as tl

PARAMETERS = {"block_size": None, "num_warps": (2, 4)}
STEPS = tl.constexpr(8)  # number of steps between two checks for remaining points


@triton.jit
def mandelbrot(x, y, limit, counts, n, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    column = (tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    row = (tl.program_id(1).to(tl.int64) * ROWS + tl.arange(0, ROWS))[:, None]
    a, b = tl.load(x + column, column < n, other=2), tl.load(y + row, row < n, other=2)
    re, im = tl.zeros((ROWS, COLUMNS), a.dtype), tl.zeros((ROWS, COLUMNS), a.dtype)
    steps, done = tl.zeros((ROWS, COLUMNS), tl.int32), 0
    # idea: a point that has left the circle is frozen, and its steps are no longer counted
    while (done < limit) & (tl.max(steps) == done):
        for _ in range(STEPS):
            inside = (re * re + im * im <= 4) & (steps < limit)
            next_re, next_im = re * re - im * im + a, 2 * re * im + b
            re, im = tl.where(inside, next_re, re), tl.where(inside, next_im, im)
            steps += inside.to(tl.int32)
        done += STEPS
    # end of idea
    tl.store(counts + row * n + column, steps, (row < n) & (column < n))


def prepare(case):
    grid, (columns, rows) = case.blocks(), case.block_size
    how = {"ROWS": rows, "COLUMNS": columns, "num_warps": case.num_warps}

    def run(x, y, limit, counts):
        mandelbrot[grid](x, y, int(limit), counts, case.size, **how)

    return run
