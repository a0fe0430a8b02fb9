"""Squared difference of a matrix and a row: out[i, j] = (x[i, j] - y[j])**2.

The row y is subtracted from every row of the matrix. NumPy's broadcasting repeats y by a stride of 0 bytes from row to
row. As y stays in a cache, one number is read from memory and one written for two operations.

The lecture shows that a CuPy ElementwiseKernel written for scalars broadcasts its arguments without a change. So do
NumPy's ufuncs, Numba's ufuncs, and fused code. Explicit loops compute the index of the element of y that belongs to an
element of x.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Squared difference of a matrix and a row",
    size="rows of the matrix",
    sizes={"smoke": (10, 1_000), "default": (10, 1_000, 30_000), "lecture": (1, 10, 100, 1_000, 10_000, 100_000)},
    dtypes=("float64", "float32"),
    baseline="numpy_subtract",
    lectures=("cupy101",),
    options={"columns": 256},
    check_sizes=(3, 1_000),
)


def inputs(size, dtype, rng, columns):
    """Return x: (size, columns) numbers, y: (columns,), independent and uniform in [0, 1)."""
    return {"x": rng.random((size, columns), dtype=dtype), "y": rng.random(columns, dtype=dtype)}


def outputs(size, dtype, columns):
    return (Output("out", (size, columns), dtype),)


def reference(x, y):
    """Return (x - y)**2 in float64, shape (size, columns)."""
    out = np.subtract(x, y, dtype=np.float64)
    out *= out
    return out


def tolerance(expected, dtype):
    """Return 1.5 eps, relative: the rounding error of the difference, eps / 2, counts twice; the square adds eps / 2.

    The float64 reference has the same bound with float64's eps, which is added.
    """
    return 1.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps) * expected


def bytes_moved(size, itemsize, columns):
    return (size + 1) * columns * itemsize, size * columns * itemsize


def flops(size, columns):
    return 2 * size * columns
