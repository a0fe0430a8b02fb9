"""NumPy updates the vectors in place; scipy.sparse computes the product with the matrix."""

import numpy as np
from scipy.sparse import csr_array


def convert(data, indices, indptr, b, relative_residual, most_steps):
    return csr_array((data, indices, indptr), shape=(b.size, b.size)), b, relative_residual, most_steps


def run(matrix, b, relative_residual, most_steps, x):
    x[:] = 0
    residual, direction, change = b.copy(), b.copy(), np.empty_like(b)
    squared = residual @ residual
    target, steps = relative_residual**2 * squared, 0
    while squared > target and steps < most_steps:
        # idea: a step in array operations, of which only the product makes a new array
        product = matrix @ direction
        length = squared / (direction @ product)
        np.multiply(direction, length, out=change)
        x += change
        np.multiply(product, length, out=change)
        residual -= change
        before, squared = squared, residual @ residual
        direction *= squared / before
        direction += residual
        # end of idea
        steps += 1
    return steps
