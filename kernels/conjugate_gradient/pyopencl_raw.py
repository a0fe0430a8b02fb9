"""OpenCL C, a kernel per operation; the host looks at the residual after every step."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("conjugate_gradient.cl",)
GROUPS = 1024  # at most in an inner product, which one group then completes


def prepare(case):
    program, queue, rows, group = case.artifact("conjugate_gradient.cl"), case.queue, case.size**2, (case.block_size,)
    names = "start", "multiply", "dot", "add_up", "axpy", "xpay"
    start, multiply, dot, add_up, axpy, xpay = (cl.Kernel(program, f"{name}_{case.dtype}") for name in names)
    residual, direction, product = (cl_array.empty(queue, max(rows, 1), case.dtype).data for _ in range(3))
    groups = min(case.blocks(n=rows), GROUPS)
    sums, total = cl_array.empty(queue, groups, case.dtype).data, cl_array.empty(queue, 1, case.dtype).data
    shared, number = cl.LocalMemory(case.block_size * case.itemsize), np.empty(1, case.dtype)
    each = queue, (case.blocks(n=rows) * case.block_size,), group, np.int64(rows)

    def inner(x, y):
        dot(queue, (groups * case.block_size,), group, np.int64(rows), x, y, sums, shared)
        add_up(queue, group, group, np.int64(groups), sums, total, shared)
        cl.enqueue_copy(queue, number, total)
        return number[0]

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        start(*each, b.data, x.data, residual, direction)
        squared, steps = inner(residual, residual), 0
        target = relative_residual**2 * squared
        while squared > target and steps < most_steps:
            # idea: eight launches a step, and two numbers that the host waits for
            multiply(*each, data.data, indices.data, indptr.data, direction, product)
            length = squared / inner(direction, product)
            axpy(*each, length, direction, x.data)
            axpy(*each, -length, product, residual)
            before, squared = squared, inner(residual, residual)
            xpay(*each, squared / before, residual, direction)
            # end of idea
            steps += 1
        return steps

    run.kernel = multiply
    return run
