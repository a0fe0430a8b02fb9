"""CuPy launches one kernel per array operation; the host checks the residual after every step."""

import cupy as cp
from cupyx.scipy.sparse import csr_matrix


def run(data, indices, indptr, b, relative_residual, most_steps, x):
    x.fill(0)
    if b.size == 0:  # cupyx.scipy.sparse does not support empty matrices
        return 0
    matrix = csr_matrix((data, indices, indptr), shape=(b.size, b.size))
    residual, direction = b.copy(), b.copy()
    squared = cp.dot(residual, residual)
    target, steps = relative_residual**2 * squared, 0
    while squared > target and steps < most_steps:
        product = matrix @ direction
        length = squared / cp.dot(direction, product)
        x += length * direction
        residual -= length * product
        before, squared = squared, cp.dot(residual, residual)
        direction *= squared / before
        direction += residual
        steps += 1
    return steps
