"""CUDA C through cuda.core, a kernel per operation; the host looks at the residual after every step."""

import numpy as np
from cuda.core import Buffer, Device, LaunchConfig, ObjectCode, launch

PARAMETERS = ("block_size",)
SOURCES = ("conjugate_gradient.cu",)
BLOCKS = 1024  # at most in an inner product, which one block then completes


def prepare(case):
    module, stream, rows = ObjectCode.from_fatbin(case.artifact("conjugate_gradient.cu")), case.stream, case.size**2
    names = "start", "multiply", "dot", "add_up", "axpy", "xpay"
    start, multiply, dot, add_up, axpy, xpay = (module.get_kernel(f"{name}_{case.dtype}") for name in names)
    blocks, shared_bytes, n = case.blocks(n=rows), case.block_size * case.itemsize, np.int64(rows)
    parts = min(blocks, BLOCKS)
    plain = LaunchConfig(grid=blocks, block=case.block_size)
    many, one = (LaunchConfig(grid=g, block=case.block_size, shmem_size=shared_bytes) for g in (parts, 1))
    lengths = [max(rows, 1)] * 3 + [parts, 1]
    arrays = (Device().allocate(length * case.itemsize, stream=stream) for length in lengths)
    residual, direction, product, sums, total = arrays
    number = np.empty(1, case.dtype)
    landing = Buffer.from_handle(number.ctypes.data, number.nbytes)

    def each(kernel, *arguments):
        launch(stream, plain, kernel, n, *arguments)

    def inner(x, y):
        launch(stream, many, dot, n, x, y, sums)
        launch(stream, one, add_up, np.int64(parts), sums, total)
        total.copy_to(landing, stream=stream)
        stream.sync()
        return number[0]

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        matrix = data.ptr, indices.ptr, indptr.ptr
        each(start, b.ptr, x.ptr, residual, direction)
        squared, steps = inner(residual, residual), 0
        target = relative_residual**2 * squared
        while squared > target and steps < most_steps:
            # idea: eight launches a step, and two numbers that the host waits for
            each(multiply, *matrix, direction, product)
            length = squared / inner(direction, product)
            each(axpy, length, direction, x.ptr)
            each(axpy, -length, product, residual)
            before, squared = squared, inner(residual, residual)
            each(xpay, squared / before, residual, direction)
            # end of idea
            steps += 1
        return steps

    run.kernel = multiply
    return run
