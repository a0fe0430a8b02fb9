"""OpenCL C, three fused passes a step; the host looks at a residual of some steps ago."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

PARAMETERS = ("block_size",)
SOURCES = ("conjugate_gradient_fused.cl",)
ITEMS = 8  # rows per work-item at least
GROUPS = 4096  # at most: their sums are added up by one of them
TOGETHER = 32  # steps launched between two checks of the residual


def prepare(case):
    program = case.artifact("conjugate_gradient_fused.cl")
    names = ("start", "multiply", "update", "direct", "add_up")
    start, multiply, update, direct, add_up = (cl.Kernel(program, f"{name}_{case.dtype}") for name in names)
    queue, rows, block = case.queue, case.size**2, case.block_size
    groups = min(case.blocks(ITEMS, rows), GROUPS)
    residual, direction, product = (cl_array.empty(queue, max(rows, 1), case.dtype).data for _ in range(3))
    squared, squared_now, curvature = (cl_array.empty(queue, 1, case.dtype).data for _ in range(3))
    sums = cl_array.empty(queue, groups, case.dtype).data
    shared = cl.LocalMemory(block * case.itemsize)
    everywhere, seen = (queue, (groups * block,), (block,), np.int64(rows)), np.empty(1, case.dtype)

    def complete(total):
        add_up(queue, (block,), (block,), np.int32(groups), sums, total, shared)

    # idea: three passes a step
    def step(matrix, x, old, new):
        multiply(*everywhere, *matrix, direction, product, sums, shared)
        complete(curvature)
        update(*everywhere, old, curvature, product, residual, sums, shared)
        complete(new)
        direct(*everywhere, old, curvature, new, residual, direction, x)

    # end of idea

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        matrix = data.data, indices.data, indptr.data
        old, new, steps = squared, squared_now, 0
        start(*everywhere, b.data, x.data, residual, direction, sums, shared)
        complete(old)
        arrived = cl.enqueue_copy(queue, seen, old)
        target = relative_residual**2 * seen[0]
        while seen[0] > target and steps < most_steps:
            for _ in range(min(TOGETHER, int(most_steps) - steps)):
                step(matrix, x.data, old, new)
                old, new, steps = new, old, steps + 1
            queue.flush()
            arrived.wait()  # for the residual asked for one round ago: the device is busy with this round
            arrived = cl.enqueue_copy(queue, seen, old, is_blocking=False)
        arrived.wait()
        return steps

    run.kernel = multiply
    return run
