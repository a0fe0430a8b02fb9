"""CUDA C from a Jinja2 template, for one order and `inline` elements per thread, through cupy.RawModule."""

from math import ceil, comb
from pathlib import Path

import cupy as cp
from jinja2 import Template

PARAMETERS = {"parallel": (1, 4, 16), "inline": (1, 2, 4, 8)}
SOURCES = ("dg_derivative.cu.jinja",)
THREADS, SHARED_MEMORY = 1024, 48 * 1024  # limits per block: threads, and bytes of shared memory


def prepare(case):
    nodes, elements = comb(case.options["order"] + 3, 3), case.parallel * case.inline
    if nodes * case.parallel > THREADS or elements * nodes * case.itemsize > SHARED_MEMORY:
        raise NotImplementedError(f"{elements} elements of {nodes} nodes are too many for a block")
    template = Template(Path(case.artifact("dg_derivative.cu.jinja")).read_text(), trim_blocks=True, lstrip_blocks=True)
    chosen = {"real": case.ctype, "nodes": nodes, "parallel": case.parallel, "inline": case.inline}
    source = template.render(**chosen, unroll=next(k for k in (5, 4, 3, 2, 1) if nodes % k == 0))
    dg_derivative = cp.RawModule(code=source).get_function("dg_derivative")
    grid, block, n = (max(1, ceil(case.size / elements)),), (nodes * case.parallel,), case.size
    return lambda matrices, u, factors, out: dg_derivative(grid, block, (n, matrices, u, factors, out))
