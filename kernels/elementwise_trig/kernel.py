"""sin(x)**2 + cos(x)**2, elementwise.

Five operations on one number read and one written. As array code, each operation is a separate pass over memory and
makes an array; fused, they take one pass. The lecture's benchmark of array operations (CuPy over NumPy, at 8 and
800 MB) calls this elementwise.

The result is 1 for every x, except for rounding. It shows that an implementation is right, not that it has computed
anything. A compiler that knew the identity could omit the work; tests look for the rounding errors of real sines.
Source of the operation and of its data: P. Entschev, pybench, github.com/pentschev/pybench.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Elementwise: sin(x)**2 + cos(x)**2",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 1_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_trig",
    baselines=("numpy_blocked",),
    lectures=("icsc23",),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and uniform in [0, 1), as in the benchmark."""
    return {"x": rng.random(size, dtype=dtype)}


def outputs(size, dtype):
    return (Output("out", (size,), dtype),)


def reference(size):
    """Return ones, shape (size,): exact."""
    return np.ones(size)


def tolerance(dtype):
    """Return 13 eps, absolute.

    Sine and cosine err by up to 4 units in the last place in the vector libraries and OpenCL, and by less elsewhere. A
    unit is at most eps, relative. The squares err by twice that, and by up to 4 eps more if a library computes them as
    powers. Weighted with sin**2 and cos**2, which add up to 1, that makes 12 eps. The addition rounds by eps / 2, since
    the sum may exceed 1; the rest covers terms of second order.
    """
    return 13 * float(np.finfo(dtype).eps)


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    """Return five per element, a function counted as one operation."""
    return 5 * size
