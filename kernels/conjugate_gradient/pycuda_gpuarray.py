"""PyCUDA launches one kernel per array operation; the host checks the residual after every step."""

from pycuda import gpuarray
from pycuda.elementwise import ElementwiseKernel


def prepare(case):
    if case.size == 0:
        raise NotImplementedError("PyCUDA reduces arrays of at least one element")
    real = case.ctype
    multiply = ElementwiseKernel(
        f"{real} *product, const {real} *data, const int *indices, const int *indptr, const {real} *direction",
        f"""
        {real} sum = 0;
        for (int k = indptr[i]; k < indptr[i + 1]; k++)
            sum += data[k] * direction[indices[k]];
        product[i] = sum;
        """,
        "multiply",
    )

    def run(data, indices, indptr, b, relative_residual, most_steps, x):  # all work is in the default stream
        x.fill(0)
        residual, direction, product = b.copy(), b.copy(), gpuarray.empty_like(b)
        squared = gpuarray.dot(residual, residual).get()[()]
        target, steps = relative_residual**2 * squared, 0
        while squared > target and steps < most_steps:
            # idea: a step in array operations: the host reads two numbers back
            multiply(product, data, indices, indptr, direction)
            length = squared / gpuarray.dot(direction, product).get()[()]
            x += direction * length
            residual -= product * length
            before, squared = squared, gpuarray.dot(residual, residual).get()[()]
            direction = residual + direction * (squared / before)
            # end of idea
            steps += 1
        return steps

    return run
