"""PyOpenCL's array operations, one kernel each; the host looks at the residual after every step."""

import pyopencl.array as cl_array
from pyopencl.elementwise import ElementwiseKernel


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyOpenCL reduces arrays of at least one element")
    real = case.ctype
    multiply = ElementwiseKernel(
        case.queue.context,
        f"{real} *product, const {real} *data, const int *indices, const int *indptr, const {real} *direction",
        f"""
        {real} sum = 0;
        for (int k = indptr[i]; k < indptr[i + 1]; k++)
            sum += data[k] * direction[indices[k]];
        product[i] = sum;
        """,
        "multiply",
    )

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        x.fill(0)
        residual, direction, product = b.copy(), b.copy(), cl_array.empty_like(b)
        squared = cl_array.dot(residual, residual).get()[()]
        target, steps = relative_residual**2 * squared, 0
        while squared > target and steps < most_steps:
            multiply(product, data, indices, indptr, direction)
            length = squared / cl_array.dot(direction, product).get()[()]
            x += length * direction
            residual -= length * product
            before, squared = squared, cl_array.dot(residual, residual).get()[()]
            direction = residual + squared / before * direction
            steps += 1
        return steps

    return run
