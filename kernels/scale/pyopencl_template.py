"""OpenCL C from a Jinja2 template that unrolls each work-item's elements."""

from pathlib import Path

import numpy as np
import pyopencl as cl
from jinja2 import Template

PARAMETERS = {"block_size": None, "unroll": (1, 2, 4, 8)}
SOURCES = ("scale.cl.jinja",)


def prepare(case):
    block, unroll = case.block_size, case.unroll
    template = Template(Path(case.artifact("scale.cl.jinja")).read_text(), trim_blocks=True, lstrip_blocks=True)
    source = template.render(real=case.ctype, block_size=block, unroll=unroll)
    scale = cl.Kernel(cl.Program(case.queue.context, source).build(), "scale")
    groups, n = case.blocks(unroll), np.int64(case.size)

    def run(factor, x, y):
        scale(x.queue, (groups * block,), (block,), n, factor, x.data, y.data)

    return run
