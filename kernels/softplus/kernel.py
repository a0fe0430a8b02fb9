"""Compute softplus, a smooth version of max(x, 0): out[i] = log(1 + exp(x[i])).

The formula as written overflows for large x. For x far below 0 it gives 0 instead of about exp(x). So most
implementations compute max(x, 0) + log1p(exp(-|x|)); the others call a library's softplus or logaddexp. The exponent is
never positive, and log1p keeps the digits that 1 + exp(-|x|) would round away. Each element takes two transcendental
functions, one read and one write. On a CPU, arithmetic is the limit, so it matters whether a library's exp and log1p
work on SIMD lanes. On a GPU, memory bandwidth is the limit for code with a single pass, except in float64 on devices
with few float64 units.

The lecture shows code that works for both NumPy and CuPy. It gets the module from cupy.get_array_module.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Softplus: log(1 + exp(x))",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 1_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_softplus",
    baselines=("numpy_blocked", "numpy_logaddexp"),
    lectures=("cupy101",),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return x: 1000, -1000, and size - 2 numbers that are independent and uniform in [-20, 20).

    exp(-20) is below the spacing of float32 numbers at 1, and exp(1000) overflows. So the formula as written, log(1 +
    exp(x)), is wrong for x = -20 in float32, and for x = 1000.
    """
    x = rng.random(size, dtype=dtype)
    x -= 0.5
    x *= 40
    x[:2] = (1000, -1000)[:size]
    return {"x": x}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(x):
    """Return log(exp(0) + exp(x)) in float64, shape (size,), by numpy.logaddexp."""
    return np.logaddexp(0, x, dtype=np.float64)


def tolerance(expected, dtype):
    """Return a relative tolerance of 9 eps, plus the smallest normal number for results that may be flushed to zero.

    The error of exp and log1p is at most 4 units in the last place in the vector libraries, and smaller elsewhere (CUDA
    2 and 1, OpenCL 3 and 2). log1p does not magnify the relative error of its argument. Both terms of the sum are
    positive, and the addition rounds by half a unit. The total is 4 + 4 + 0.5 units, each of at most eps. The tolerance
    also includes the error of the float64 reference, 9 eps of float64.
    """
    units = 9 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)
    return units * expected + float(np.finfo(dtype).smallest_normal)


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    """Return the number of operations, five per element: magnitude, exp, log1p (each counted as one), maximum, sum."""
    return 5 * size
