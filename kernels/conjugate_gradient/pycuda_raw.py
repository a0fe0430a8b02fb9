"""CUDA C through PyCUDA, one kernel per operation; the host checks the residual after every step."""

import numpy as np
from pycuda import driver, gpuarray

PARAMETERS = ("block_size",)
SOURCES = ("conjugate_gradient.cu",)
BLOCKS = 1024  # maximum number of blocks of an inner product; one block adds up their sums


def prepare(case):
    module, rows, real = driver.module_from_file(case.artifact("conjugate_gradient.cu")), case.size**2, case.dtype
    char = np.dtype(real).char
    types = {"start": "qPPPP", "multiply": "qPPPPP", "dot": "qPPP", "add_up": "qPP", "axpy": f"q{char}PP"}
    types["xpay"] = types["axpy"]
    functions = (module.get_function(f"{name}_{real}").prepare(given) for name, given in types.items())
    start, multiply, dot, add_up, axpy, xpay = functions
    residual, direction, product = (gpuarray.empty(max(rows, 1), real).gpudata for _ in range(3))
    blocks, block, shared_bytes = case.blocks(n=rows), (case.block_size, 1, 1), case.block_size * case.itemsize
    sums, total = gpuarray.empty(min(blocks, BLOCKS), real), gpuarray.empty(1, real)
    stream, number = case.stream, driver.pagelocked_empty(1, real)

    def each(kernel, *arguments):
        kernel.prepared_async_call((blocks, 1), block, stream, rows, *arguments)

    def inner(x, y):
        parts, one = (sums.size, 1), (1, 1)
        dot.prepared_async_call(parts, block, stream, rows, x, y, sums.gpudata, shared_size=shared_bytes)
        add_up.prepared_async_call(one, block, stream, sums.size, sums.gpudata, total.gpudata, shared_size=shared_bytes)
        driver.memcpy_dtoh_async(number, total.gpudata, stream)
        stream.synchronize()
        return number[0]

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        matrix = data.gpudata, indices.gpudata, indptr.gpudata
        each(start, b.gpudata, x.gpudata, residual, direction)
        squared, steps = inner(residual, residual), 0
        target = relative_residual**2 * squared
        while squared > target and steps < most_steps:
            # idea: eight launches per step, and two numbers that the host waits for
            each(multiply, *matrix, direction, product)
            length = squared / inner(direction, product)
            each(axpy, length, direction, x.gpudata)
            each(axpy, -length, product, residual)
            before, squared = squared, inner(residual, residual)
            each(xpay, squared / before, residual, direction)
            # end of idea
            steps += 1
        return steps

    run.kernel = multiply
    return run
