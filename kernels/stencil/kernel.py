"""Five-point stencil: every point of a square grid becomes the mean of itself and its four neighbours.

    out[i, j] = (x[i, j] + x[i-1, j] + x[i+1, j] + x[i, j-1] + x[i, j+1]) / 5,   0 < i, j < size - 1

The border keeps its values: out = x in the first and last row and column. It is x + (the 5-point Laplacian of x) / 5, a
step of the heat equation.

One number is read and one written for five operations, if the neighbours are still in a cache or in shared memory when
they are needed again. Then memory bandwidth is the limit. Array operations, one for each addition, pass over the grid
five times instead.

icsc23's figure compares NumPy and CuPy at 8 and 800 MB, 1000 and 10000 rows of float64. The benchmark behind it used
nine points of int8 and called Numba for both; here every library computes the five points of the textbook.
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

    Sums below 2, 3, 4 and 5 are rounded by 14 u in all, 2.8 u of the mean. 1/5 itself is off by a fraction of u and so
    is the product with it, 2 u of a mean below 1. Five products with 1/5, added up, are within the same 4.8 u. The
    error of the float64 reference is as large in its own precision.
    """
    return 2.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)


def bytes_moved(size, itemsize):
    return size**2 * itemsize, size**2 * itemsize


def flops(size):
    return 5 * max(size - 2, 0) ** 2
