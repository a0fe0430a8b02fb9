"""Squared difference of two vectors of different types: out[i] = (x[i] - y[i])**2, with 16-bit integers x.

For example, x may be samples of an analogue-to-digital converter and y a model of them. A library that converts x to
the type of y in a separate pass turns 2 bytes into 4 or 8, which are written and read again. A conversion within the
computation costs nothing. NumPy's ufuncs convert piece by piece, through a buffer of 8192 elements. The buffer moves no
memory, but the separate pass is faster.

The lecture shows a CuPy ElementwiseKernel with a type for each argument, X, Y and Z. The dtype of a case is that of y
and of the result.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Squared difference of two types",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_astype",
    lectures=("cupy101",),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return x: `size` whole numbers from -2048 to 2047, int16. y: as many numbers, uniform in [-2048, 2048)."""
    x = rng.integers(-2048, 2048, size, dtype=np.int16)
    y = rng.random(size, dtype=dtype)
    y -= 0.5
    y *= 4096
    return {"x": x, "y": y}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x, y):
    """Return (x - y)**2 in float64, shape (size,)."""
    out = np.subtract(x, y, dtype=np.float64)
    out *= out
    return out


def tolerance(expected, dtype):
    """Return 1.5 eps, relative: the rounding error of the difference, eps / 2, counts twice; the square adds eps / 2.

    Whole numbers of 16 bits are exact in either type. The float64 reference has the same bound with float64's eps,
    which is added.
    """
    return 1.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps) * expected


def bytes_moved(size, itemsize):
    return size * (2 + itemsize), size * itemsize


def flops(size):
    return 2 * size
