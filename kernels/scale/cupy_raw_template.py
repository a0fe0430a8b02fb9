"""CUDA C from a Jinja2 template, through cupy.RawModule: a thread's `unroll` elements are written out beforehand."""

from pathlib import Path

import cupy as cp
import numpy as np
from jinja2 import Template

PARAMETERS = {"block_size": None, "unroll": (1, 2, 4, 8)}
SOURCES = ("scale.cu.jinja",)


def prepare(case):
    block, unroll = case.block_size, case.unroll
    real = case.ctype
    template = Template(Path(case.artifact("scale.cu.jinja")).read_text(), trim_blocks=True, lstrip_blocks=True)
    source = template.render(real=real, block_size=block, unroll=unroll)
    scale = cp.RawModule(code=source).get_function("scale")
    blocks, n = case.blocks(unroll), np.int64(case.size)
    return lambda factor, x, y: scale((blocks,), (block,), (n, factor, x, y))
