"""Squared difference of two vectors, elementwise: out[i] = (x[i] - y[i])**2.

Each element takes two operations; two numbers are read and one is written. If the difference stays in registers, memory
bandwidth is the limit for vectors a few times larger than the caches. A library that fuses both operations passes over
memory once. A library without fusion passes over it twice.

The lecture shows four CuPy versions: a kernel with fixed types, a kernel for any type T, fused array code, and a
compiled Python loop. Two more examples of the lecture move different amounts of memory, so they are separate kernels
here: squared_difference_broadcast subtracts one row from every row of a matrix, and squared_difference_mixed has inputs
of two types.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Squared difference",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_subtract",
    baselines=("numpy_blocked",),
    lectures=("cupy101",),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return x, y: `size` numbers each, independent and uniform in [0, 1)."""
    return {name: rng.random(size, dtype=dtype) for name in ("x", "y")}


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
    formula x**2 - 2 x y + y**2 exceeds this tolerance, because it loses all digits if x is close to y.
    """
    return 1.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps) * expected


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return 2 * size
