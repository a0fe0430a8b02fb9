"""CUDA C from a Jinja2 template that unrolls each thread's elements, through PyCUDA's SourceModule."""

from pathlib import Path

import numpy as np
from jinja2 import Template
from pycuda.compiler import SourceModule

PARAMETERS = {"block_size": None, "unroll": (1, 2, 4, 8)}
SOURCES = ("scale.cu.jinja",)


def prepare(case):
    template = Template(Path(case.artifact("scale.cu.jinja")).read_text(), trim_blocks=True, lstrip_blocks=True)
    source = template.render(real=case.ctype, block_size=case.block_size, unroll=case.unroll)
    module = SourceModule(source, options=["-O3"], no_extern_c=True)
    scale = module.get_function("scale").prepare(("q", np.dtype(case.dtype).char, "P", "P"))
    n, stream, grid, block = case.size, case.stream, (case.blocks(case.unroll), 1), (case.block_size, 1, 1)
    return lambda factor, x, y: scale.prepared_async_call(grid, block, stream, n, factor, x.gpudata, y.gpudata)
