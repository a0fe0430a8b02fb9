"""Squared difference of a matrix and a row: out[i, j] = (x[i, j] - y[j])**2.

The row y is subtracted from every row of the matrix. NumPy's broadcasting repeats y without a copy, by a stride of 0
bytes from row to row. As y stays in a cache, each element takes one read from memory, one write and two operations.

The lecture shows that a CuPy ElementwiseKernel for scalars broadcasts its arguments without any change to the kernel.
NumPy's ufuncs, Numba's ufuncs and fused code broadcast their arguments, too. Explicit loops must compute which element
of y belongs to each element of x.
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
    """Return x, shape (size, columns), and y, shape (columns,): numbers independent and uniform in [0, 1)."""
    return {"x": rng.random((size, columns), dtype=dtype), "y": rng.random(columns, dtype=dtype)}


def outputs(size, dtype, columns):
    return (Output("out", (size, columns), dtype),)


def reference(x, y):
    """Return (x - y)**2 in float64, shape (size, columns)."""
    out = np.subtract(x, y, dtype=np.float64)
    out *= out
    return out


def tolerance(expected, dtype):
    """Return 1.5 eps times the expected result, plus the reference's bound, which uses the eps of float64.

    The difference has a relative error of eps / 2, which squaring doubles. Rounding the square adds eps / 2.
    """
    return 1.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps) * expected


def bytes_moved(size, itemsize, columns):
    return (size + 1) * columns * itemsize, size * columns * itemsize


def flops(size, columns):
    return 2 * size * columns
