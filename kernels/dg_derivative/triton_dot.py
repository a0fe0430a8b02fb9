"""Triton kernel, tl.dot along each edge for a few elements and nodes, then the factors; in full precision."""

from math import comb

import triton
import triton.language as tl

PARAMETERS = {"elements": (16, 32, 64), "num_warps": (4, 8)}
DEPTH = tl.constexpr(16)  # rows of the matrices at a time
COLUMNS = tl.constexpr(32)  # nodes of a program


@triton.jit
def dg_derivative(matrices, u, factors, out, size, nodes, ELEMENTS: tl.constexpr):
    element = (tl.program_id(0).to(tl.int64) * ELEMENTS + tl.arange(0, ELEMENTS))[:, None]
    node = (tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    some = element < size
    r = tl.zeros((ELEMENTS, COLUMNS), out.dtype.element_ty)
    s, t = tl.zeros_like(r), tl.zeros_like(r)
    # idea: three products of small matrices share the values
    for first in range(0, nodes, DEPTH):
        b = first + tl.arange(0, DEPTH)
        values = tl.load(u + element * nodes + b[None, :], some & (b < nodes)[None, :], other=0)
        entries, there = matrices + 3 * nodes * b[:, None] + node, (b < nodes)[:, None] & (node < nodes)
        r = tl.dot(values, tl.load(entries, there, other=0), r, input_precision="ieee", out_dtype=r.dtype)
        s = tl.dot(values, tl.load(entries + nodes, there, other=0), s, input_precision="ieee", out_dtype=r.dtype)
        t = tl.dot(values, tl.load(entries + 2 * nodes, there, other=0), t, input_precision="ieee", out_dtype=r.dtype)
    # end of idea
    for i in tl.static_range(3):
        own = factors + 9 * element + 3 * i
        total = tl.load(own, some) * r + tl.load(own + 1, some) * s + tl.load(own + 2, some) * t
        tl.store(out + (3 * element + i) * nodes + node, total, some & (node < nodes))


def prepare(case):
    nodes = comb(case.options["order"] + 3, 3)
    grid = max(1, triton.cdiv(case.size, case.elements)), triton.cdiv(nodes, COLUMNS.value)
    how = {"ELEMENTS": case.elements, "num_warps": case.num_warps}

    def run(*arrays):
        dg_derivative[grid](*arrays, case.size, nodes, **how)

    return run
