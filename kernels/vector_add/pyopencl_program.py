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
    real = {"float64": "double", "float32": "float"}[case.dtype]
    vector_add = cl.Program(case.queue.context, SOURCE).build(options=[f"-DREAL={real}"]).vector_add
    block = case.block_size
    groups = max(1, -(-case.size // block))
    n = np.int64(case.size)

    def run(x, y, out):
        vector_add(x.queue, (groups * block,), (block,), n, x.data, y.data, out.data)

    run.kernel = vector_add
    return run
