"""Linear combination of two vectors: z[i] = a * x[i] + b * y[i], with scalars a and b, into a separate array.

This is PyCUDA's example of the cost of missing fusion. Written with array operators, it takes three operations. Each
has a separate pass over memory and a new array for its result: four numbers are read and three written per element. A
single kernel reads two and writes one.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Linear combination of two vectors",
    size="number of elements",
    sizes={
        "smoke": (1_000, 100_000),
        "default": (1_000, 100_000, 10_000_000),
        "lecture": tuple(10**k for k in range(1, 9)),
    },
    dtypes=("float64", "float32"),
    baseline="numpy_linear_combination",
    baselines=("numpy_blocked",),
    lectures=("gtc2010",),
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return a, b: numbers in [1, 2). x, y: `size` numbers each, independent and uniform in [0, 1)."""
    real = np.dtype(dtype).type
    return {
        "a": real(1 + rng.random(dtype=dtype)),
        "x": rng.random(size, dtype=dtype),
        "b": real(1 + rng.random(dtype=dtype)),
        "y": rng.random(size, dtype=dtype),
    }


def outputs(size, dtype):
    return (Output("z", (size,), dtype),)


def reference(a, x, b, y):
    """Return a * x + b * y in float64, shape (size,). For float32, products are exact and only the sum is rounded."""
    z = np.multiply(x, np.float64(a), dtype=np.float64)
    z += np.multiply(y, np.float64(b), dtype=np.float64)
    return z


def tolerance(dtype):
    """Return 2 eps, absolute: eps / 2 for rounding each of two products below 2, and eps for rounding a sum below 4.

    A fused multiply-add saves one rounding, which reduces the error. The float64 reference has the same bound with
    float64's eps, which is added.
    """
    return 2 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size * itemsize


def flops(size):
    return 3 * size
