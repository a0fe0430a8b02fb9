"""sin(x)**2 + cos(x)**2, elementwise.

Each element takes five operations, one read and one write. In array code, each operation is a separate pass over memory
and writes an array; fused code takes one pass. The lecture's benchmark of array operations (CuPy over NumPy, at 8 and
800 MB) calls this operation "elementwise".

The result is 1 for every x, except for rounding errors. A correct result does not prove that an implementation has
computed anything: a compiler that knew the identity could omit the work. So tests check that results contain the
rounding errors of computed sines.

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
    """Return ones, shape (size,), which are the exact results."""
    return np.ones(size)


def tolerance(dtype):
    """Return 13 eps, absolute.

    The error of sine and cosine is at most 4 units in the last place in the vector libraries and OpenCL, and smaller
    elsewhere. A unit is at most eps, relative. So the squares have a relative error of at most 8 eps, plus up to 4 eps
    if a library computes them as powers. The sum weights these 12 eps with sin**2 and cos**2, which add up to 1. The
    addition adds eps / 2, since the sum may exceed 1; the rest covers terms of second order.
    """
    return 13 * float(np.finfo(dtype).eps)


def bytes_moved(size, itemsize):
    return size * itemsize, size * itemsize


def flops(size):
    """Return five operations per element; a function counts as one operation."""
    return 5 * size
