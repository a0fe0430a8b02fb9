"""Five-point stencil: every point of a square grid becomes the mean of itself and its four neighbours.

    out[i, j] = (x[i, j] + x[i-1, j] + x[i+1, j] + x[i, j-1] + x[i, j+1]) / 5,   0 < i, j < size - 1

The border keeps its values: out = x in the first and last row and column. Inside, out is x + (the 5-point Laplacian of
x) / 5, a step of the heat equation.

If the neighbours are still in a cache or in shared memory when they are needed again, each point takes one read, one
write and five operations. Then memory bandwidth is the limit. Array operations, one for each addition, pass over the
grid five times instead.

icsc23's figure compares NumPy and CuPy at 8 and 800 MB, which is 1000 and 10000 rows of float64. The benchmark behind
it used nine points of int8 and called Numba for both libraries; here every library computes the five points of the
textbook.
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
    """Return the means in float64, shape (size, size); the border is x's."""
    out = x.astype(np.float64)
    wide, inner = out.copy(), out[1:-1, 1:-1]
    for neighbour in (wide[:-2, 1:-1], wide[2:, 1:-1], wide[1:-1, :-2], wide[1:-1, 2:]):
        inner += neighbour
    inner /= 5
    return out


def tolerance(dtype):
    """Return 2.5 eps, absolute, for every order of summation; u = eps / 2.

    The partial sums are below 2, 3, 4 and 5, so rounding them adds up to at most 14 u, which is 2.8 u of the mean. 1/5
    is rounded, and so is the product with it, which adds at most 2 u, as the mean is below 1. The sum of five products
    with 1/5 has the same bound, 4.8 u. The float64 reference has the same bound with float64's eps, which is added.
    """
    return 2.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)


def bytes_moved(size, itemsize):
    return size**2 * itemsize, size**2 * itemsize


def flops(size):
    return 5 * max(size - 2, 0) ** 2
