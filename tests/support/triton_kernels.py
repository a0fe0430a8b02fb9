"""Some kernels of gpu.cu in Triton, with the arguments (n, x, y)."""

import triton
import triton.language as tl


@triton.jit
def scale(n, x, y, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(x + i, i < n), i < n)


@triton.jit
def overrun(n, x, y, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(x + 0 * i), i <= n)


@triton.jit
def chase(n, x, y, BLOCK: tl.constexpr):
    if tl.program_id(0) == 0:
        at = tl.program_id(0).to(tl.int64)
        for _ in range(n):
            at = tl.load(x + at).to(tl.int64)
        tl.store(y, at.to(tl.float64))
