"""Squared difference of two vectors of different types: out[i] = (x[i] - y[i])**2, where x is int16.

For example, x may be samples of an analogue-to-digital converter and y a model of these samples. A library may convert
x to the type of y in a separate pass. This pass turns 2 bytes into 4 or 8 bytes, which are written and read again. A
conversion within the computation moves no additional bytes. NumPy's ufuncs convert x piece by piece, in a buffer of
8192 elements that stays in a cache; but a separate pass is faster than this buffer.

The lecture shows a CuPy ElementwiseKernel with a type for each argument, X, Y and Z. Here the dtype of a case (one
implementation at one problem) is the type of y and of the result.
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
    """Return x: `size` int16 numbers from -2048 to 2047, and y: `size` numbers, uniform in [-2048, 2048)."""
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
    """Return 1.5 eps times the expected result, plus the reference's bound, which uses the eps of float64.

    The difference has a relative error of eps / 2, which squaring doubles. Rounding the square adds eps / 2. The
    conversion of x adds no error, because 16-bit integers are exact in float32 and float64.
    """
    return 1.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps) * expected


def bytes_moved(size, itemsize):
    return size * (2 + itemsize), size * itemsize


def flops(size):
    return 2 * size
