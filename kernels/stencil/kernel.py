"""Five-point stencil: every point of a square grid becomes the mean of itself and its four neighbours.

    out[i, j] = (x[i, j] + x[i-1, j] + x[i+1, j] + x[i, j-1] + x[i, j+1]) / 5,   0 < i, j < size - 1

The first and last row and column keep their values: there, out = x. Elsewhere, out is x + (the 5-point Laplacian of x)
/ 5, which is one step of the heat equation.

A point is read once from memory if it stays in a cache or in shared memory until its neighbours are computed. Each
point then takes one read, one write and five operations, and memory bandwidth is the limit. In array code, each
operation passes over the grid, so there are five passes.

A figure of the lecture icsc23 compares NumPy and CuPy at 8 and 800 MB, which is 1000 and 10000 rows of float64. The
benchmark behind this figure used a nine-point stencil of int8, and called Numba for both libraries. Here every library
computes the textbook's five points.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Five-point stencil",
    size="rows of the square grid",
    sizes={"smoke": (64,), "default": (100, 1000), "lecture": (30, 100, 300, 1000, 3000)},
    sizes_gpu=(10_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_flat",
    baselines=("numpy_slices",),
    lectures=("icsc23",),
    check_sizes=(3, 257),
    block_dimensions=2,
)


def inputs(size, dtype, rng):
    """Return x: (size, size) numbers, independent and uniform in [0, 1)."""
    return {"x": rng.random((size, size), dtype=dtype)}


def outputs(size, dtype):
    return (Output("out", (size, size), dtype),)


def reference(x):
    """Return the means in float64, shape (size, size), with the border copied from x."""
    out = x.astype(np.float64)
    wide, inner = out.copy(), out[1:-1, 1:-1]
    for neighbour in (wide[:-2, 1:-1], wide[2:, 1:-1], wide[1:-1, :-2], wide[1:-1, 2:]):
        inner += neighbour
    inner /= 5
    return out


def tolerance(dtype):
    """Return the absolute bound 2.5 eps, plus the reference's bound, which uses the eps of float64.

    Let u = eps / 2. In every order of summation, the partial sums are below 2, 3, 4 and 5. So their rounding errors are
    at most 14 u in total, which is 2.8 u of the mean. The factor 1/5 and the product with this factor are rounded. This
    adds at most 2 u, because the mean is below 1. The bound of a sum of five products with 1/5 is also 4.8 u.
    """
    return 2.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)


def bytes_moved(size, itemsize):
    return size**2 * itemsize, size**2 * itemsize


def flops(size):
    return 5 * max(size - 2, 0) ** 2
