"""OpenCL C in a string, compiled at run time by PyOpenCL's Program, one work-item per element."""

import numpy as np
import pyopencl as cl

PARAMETERS = ("block_size",)

SOURCE = """
kernel void vector_add(long n, global const REAL *x, global const REAL *y, global REAL *out)
{
    const long i = get_global_id(0);
    if (i < n)
        out[i] = x[i] + y[i];
}
"""


def prepare(case):
    vector_add = cl.Program(case.queue.context, SOURCE).build(options=[f"-DREAL={case.ctype}"]).vector_add
    work_items, group, n = (case.blocks() * case.block_size,), (case.block_size,), np.int64(case.size)

    def run(x, y, out):
        vector_add(out.queue, work_items, group, n, x.data, y.data, out.data)

    return run
