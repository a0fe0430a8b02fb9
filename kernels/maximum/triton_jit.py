"""Triton kernel in two launches: programs compare strided blocks, then one program compares the programs' maxima.

NaN is ignored if there are other numbers.
"""

import torch
import triton
import triton.language as tl

PARAMETERS = ("block_size",)
PROGRAMS = 1024  # maximum number of programs, and so of maxima that the second launch compares


@triton.jit
def maximum(x, largest, n, BLOCK: tl.constexpr):
    maxima = tl.full((BLOCK,), float("-inf"), x.dtype.element_ty)
    for first in range(tl.program_id(0).to(tl.int64) * BLOCK, n, tl.num_programs(0) * BLOCK):
        i = first + tl.arange(0, BLOCK)
        maxima = tl.maximum(maxima, tl.load(x + i, i < n, other=float("-inf")))
    tl.store(largest + tl.program_id(0), tl.max(maxima))


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("the maximum of an empty vector would be -inf")
    programs, block, device = min(case.blocks(), PROGRAMS), case.block_size, case.stream.device
    partial, largest = (torch.empty(n, dtype=getattr(torch, case.dtype), device=device) for n in (programs, ()))

    def run(x):
        maximum[(programs,)](x, partial, case.size, BLOCK=block)
        maximum[(1,)](partial, largest, programs, BLOCK=block)
        return largest

    return run
