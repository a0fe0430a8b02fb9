"""Triton, two launches: each program adds up its part, then scans it, starting from the sum of the parts before it."""

import math

import torch
import triton
import triton.language as tl

ALGORITHM = "scan"
PARAMETERS = ("block_size",)
PROGRAMS = 1024  # maximum number of programs: each adds up the sums of all programs before it


@triton.jit
def add_up(x, sums, n, part, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), x.dtype.element_ty)
    start = tl.program_id(0).to(tl.int64) * part
    for first in range(start, start + part, BLOCK):
        i = first + tl.arange(0, BLOCK)
        total += tl.load(x + i, i < n, other=0)
    tl.store(sums + tl.program_id(0), tl.sum(total))


@triton.jit
def scan(x, sums, out, n, part, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    before = tl.arange(0, PROGRAMS)
    # idea: begin with the sum of all parts before, then scan block after block
    total = tl.sum(tl.load(sums + before, before < tl.program_id(0), other=0))
    start = tl.program_id(0).to(tl.int64) * part
    for first in range(start, start + part, BLOCK):
        i = first + tl.arange(0, BLOCK)
        block = tl.load(x + i, i < n, other=0)
        tl.store(out + i, total + tl.cumsum(block), i < n)
        total += tl.sum(block)
    # end of idea


def prepare(case):
    n, block = case.size, case.block_size
    part = block * math.ceil(case.blocks() / PROGRAMS)
    programs = max(1, math.ceil(n / part))
    sums = torch.empty(programs, dtype=getattr(torch, case.dtype), device=case.stream.device)

    def run(x, out):
        add_up[(programs,)](x, sums, n, part, BLOCK=block)
        scan[(programs,)](x, sums, out, n, part, PROGRAMS=PROGRAMS, BLOCK=block)

    return run
