"""CUDA C from a Jinja2 template, for one order and `inline` elements per thread, through PyCUDA."""

from math import ceil, comb
from pathlib import Path

from jinja2 import Template
from pycuda.compiler import SourceModule

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
    module = SourceModule(source, options=["-O3"], no_extern_c=True)
    dg_derivative = module.get_function("dg_derivative").prepare("qPPPP")
    grid, block = (max(1, ceil(case.size / elements)), 1), (nodes * case.parallel, 1, 1)

    def run(matrices, u, factors, out):
        arrays = matrices.gpudata, u.gpudata, factors.gpudata, out.gpudata
        dg_derivative.prepared_async_call(grid, block, case.stream, case.size, *arrays)

    return run
