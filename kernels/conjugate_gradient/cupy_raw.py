"""CUDA C through cupy.RawModule, a kernel per operation; the host looks at the residual after every step."""

import cupy as cp
import numpy as np

PARAMETERS = ("block_size",)
SOURCES = ("conjugate_gradient.cu",)
BLOCKS = 1024  # at most in an inner product, which one block then completes


def prepare(case):
    module, rows, real = cp.RawModule(path=case.artifact("conjugate_gradient.cu")), case.size**2, np.dtype(case.dtype)
    names = "start", "multiply", "dot", "add_up", "axpy", "xpay"
    start, multiply, dot, add_up, axpy, xpay = (module.get_function(f"{name}_{real}") for name in names)
    residual, direction, product = (cp.empty(rows, real) for _ in range(3))
    grid, block, shared_bytes = (case.blocks(n=rows),), (case.block_size,), case.block_size * case.itemsize
    sums, total = cp.empty(min(*grid, BLOCKS), real), cp.empty((), real)

    def inner(x, y):
        dot((sums.size,), block, (rows, x, y, sums), shared_mem=shared_bytes)
        add_up((1,), block, (sums.size, sums, total), shared_mem=shared_bytes)
        return real.type(total.item())

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        start(grid, block, (rows, b, x, residual, direction))
        squared, steps = inner(residual, residual), 0
        target = relative_residual**2 * squared
        while squared > target and steps < most_steps:
            # idea: eight launches a step, and two numbers that the host waits for
            multiply(grid, block, (rows, data, indices, indptr, direction, product))
            length = squared / inner(direction, product)
            axpy(grid, block, (rows, length, direction, x))
            axpy(grid, block, (rows, -length, product, residual))
            before, squared = squared, inner(residual, residual)
            xpay(grid, block, (rows, squared / before, residual, direction))
            # end of idea
            steps += 1
        return steps

    run.kernel = multiply
    return run
