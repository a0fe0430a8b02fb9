"""Fused CuPy ElementwiseKernel and ReductionKernel; the host checks the residual every 32 steps."""

import cupy as cp

ALGORITHM = "now and then"
PARAMETERS = ("block_size",)
TOGETHER = 32  # number of steps between two checks of the residual

multiply = cp.ElementwiseKernel(
    "raw T data, raw int32 indices, raw int32 indptr, raw T direction",
    "T product",
    """
    T sum = 0;
    for (int k = indptr[i]; k < indptr[i + 1]; k++)
        sum += data[k] * direction[indices[k]];
    product = sum;
    """,
    "multiply",
)
update = cp.ElementwiseKernel(
    "raw T squared, raw T curvature, T direction, T product",
    "T x, T residual",
    """
    const T length = curvature[0] > 0 ? squared[0] / curvature[0] : 0;
    x += length * direction;
    residual -= length * product;
    """,
    "update",
)
direct = cp.ElementwiseKernel(
    "raw T squared, raw T before, T residual",
    "T direction",
    "direction = residual + (before[0] > 0 ? squared[0] / before[0] : 0) * direction",
    "direct",
)
dot = cp.ReductionKernel("T p, T q", "T total", "p * q", "a + b", "total = a", "0", "dot")


def run(data, indices, indptr, b, relative_residual, most_steps, x, *, block_size):
    x.fill(0)
    residual, direction, product = b.copy(), b.copy(), cp.empty_like(b)
    squared = dot(residual, residual)
    target, steps = relative_residual**2 * squared, 0
    while steps < most_steps and squared > target:
        for _ in range(min(TOGETHER, int(most_steps) - steps)):
            # idea: five launches per step
            multiply(data, indices, indptr, direction, product, block_size=block_size)
            curvature = dot(direction, product)
            update(squared, curvature, direction, product, x, residual, block_size=block_size)
            before, squared = squared, dot(residual, residual)
            direct(squared, before, residual, direction, block_size=block_size)
            # end of idea
            steps += 1
    return steps
