"""Triton kernel in two launches: programs add up strided blocks, then one program adds up the programs' sums."""

import torch
import triton
import triton.language as tl

PARAMETERS = ("block_size",)
PROGRAMS = 1024  # maximum number of programs, and of sums for the second launch


@triton.jit
def vector_sum(x, sums, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), x.dtype.element_ty)
    for first in range(tl.program_id(0).to(tl.int64) * BLOCK, n, tl.num_programs(0) * BLOCK):
        i = first + tl.arange(0, BLOCK)
        total += tl.load(x + i, i < n, other=0)
    tl.store(sums + tl.program_id(0), tl.sum(total))


def prepare(case):
    programs, block, device = min(case.blocks(), PROGRAMS), case.block_size, case.stream.device
    sums, total = (torch.empty(n, dtype=getattr(torch, case.dtype), device=device) for n in (programs, ()))

    def run(x):
        vector_sum[(programs,)](x, sums, case.size, BLOCK=block)
        vector_sum[(1,)](sums, total, programs, BLOCK=block)
        return total

    return run
