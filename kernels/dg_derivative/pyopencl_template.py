"""OpenCL C from a Jinja2 template, for one order and `inline` elements per work-item."""

from math import ceil, comb
from pathlib import Path

import numpy as np
import pyopencl as cl
from jinja2 import Template

PARAMETERS = {"parallel": (1, 4, 16), "inline": (1, 2, 4, 8)}
SOURCES = ("dg_derivative.cl.jinja",)


def prepare(case):
    nodes, elements, device = comb(case.options["order"] + 3, 3), case.parallel * case.inline, case.queue.device
    group, n = (nodes * case.parallel,), np.int64(case.size)
    if group[0] > device.max_work_group_size or elements * nodes * case.itemsize > device.local_mem_size:
        raise NotImplementedError(f"{elements} elements of {nodes} nodes are too many for a work-group")
    template = Template(Path(case.artifact("dg_derivative.cl.jinja")).read_text(), trim_blocks=True, lstrip_blocks=True)
    chosen = {"real": case.ctype, "nodes": nodes, "parallel": case.parallel, "inline": case.inline}
    source = template.render(**chosen, unroll=next(k for k in (5, 4, 3, 2, 1) if nodes % k == 0))
    dg_derivative = cl.Kernel(cl.Program(case.queue.context, source).build(), "dg_derivative")
    work_items = (max(1, ceil(case.size / elements)) * group[0],)

    def run(matrices, u, factors, out):
        dg_derivative(out.queue, work_items, group, n, matrices.data, u.data, factors.data, out.data)

    return run
