"""CUDA C from a Jinja2 template that unrolls each thread's elements, through cupy.RawModule."""

from pathlib import Path

import cupy as cp
from jinja2 import Template

PARAMETERS = {"block_size": None, "unroll": (1, 2, 4, 8)}
SOURCES = ("scale.cu.jinja",)


def prepare(case):
    block, unroll = case.block_size, case.unroll
    template = Template(Path(case.artifact("scale.cu.jinja")).read_text(), trim_blocks=True, lstrip_blocks=True)
    source = template.render(real=case.ctype, block_size=block, unroll=unroll)
    scale = cp.RawModule(code=source).get_function("scale")
    grid = (case.blocks(unroll),)
    return lambda factor, x, y: scale(grid, (block,), (case.size, factor, x, y))
