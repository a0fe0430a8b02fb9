"""Call: y = x + 1, repeated `size` times, so that what is timed is the way into C and back.

    y = f(f(... f(x))),    f(x) = x + 1

The addition takes a nanosecond. Everything else is the cost of a call: taking the arguments out of Python objects,
finding the function, putting the result into an object again. A time divided by `size` is that cost; `python_inline`,
the same loop without any call, shows what the loop itself costs. Where the loop is on the other side too, in Cython's
`cdef` or in Numba's, the crossing is paid once and the C compiler may even inline the call: the whole lesson is to
cross seldom.

The least that NumPy can do is to add two of its scalars. A ufunc, made for arrays, must first find out that this is
none.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Call: the cost of crossing into C",
    size="number of calls",
    sizes={"smoke": (1, 100), "default": (1, 1_000), "lecture": (1, 10, 100, 1_000, 10_000, 100_000)},
    dtypes=("float64",),
    baseline="numpy_scalar",
    lectures=("icsc23", "esrf"),
)


def inputs(rng):
    """x: a whole number in [0, 2**20), as a float64."""
    return {"x": np.float64(rng.integers(2**20))}


def outputs():
    return (Output("y", (), "float64"),)


def reference(x, size):
    """x + size: float64 counts whole numbers exactly up to 2**53."""
    return x + np.float64(size)


def tolerance():
    """Zero, since every sum on the way is exact."""
    return 0.0


def bytes_moved(itemsize):
    return itemsize, itemsize


def flops(size):
    return size
