"""Kernels in Python, one for the product and one for the updates; warp.utils.array_inner, for which the host waits."""

import warp as wp
from warp.utils import array_inner


def prepare(case):
    real, rows = getattr(wp, case.dtype), case.size**2

    @wp.kernel(module="unique")
    def multiply(
        data: wp.array(dtype=real),
        indices: wp.array(dtype=wp.int32),
        indptr: wp.array(dtype=wp.int32),
        x: wp.array(dtype=real),
        y: wp.array(dtype=real),
    ):
        i = wp.tid()
        total = real(0.0)
        for k in range(indptr[i], indptr[i + 1]):
            total += data[k] * x[indices[k]]
        y[i] = total

    @wp.kernel(module="unique")
    def combine(a: real, x: wp.array(dtype=real), b: real, y: wp.array(dtype=real)):
        i = wp.tid()
        y[i] = a * x[i] + b * y[i]

    residual, direction, product = (wp.empty(rows, real) for _ in range(3))
    number = wp.empty(1, real)

    def inner(x, y):
        array_inner(x, y, out=number)
        return number.numpy()[0]

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        x.zero_()
        wp.copy(residual, b)
        wp.copy(direction, b)
        squared, steps = inner(b, b), 0
        target = relative_residual**2 * squared
        while squared > target and steps < most_steps:
            # idea: six launches a step, and two numbers that the host waits for
            wp.launch(multiply, rows, inputs=[data, indices, indptr, direction, product])
            length = squared / inner(direction, product)
            wp.launch(combine, rows, inputs=[length, direction, 1.0, x])
            wp.launch(combine, rows, inputs=[-length, product, 1.0, residual])
            before, squared = squared, inner(residual, residual)
            wp.launch(combine, rows, inputs=[1.0, residual, squared / before, direction])
            # end of idea
            steps += 1
        return steps

    return run
