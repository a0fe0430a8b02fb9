"""Call: y = x + 1, done `size` times over, so that what is timed is the way into C and back.

    y = f(f(... f(x))),    f(x) = x + 1

The addition takes a nanosecond. Everything else is the price of a call: the arguments taken out of Python objects, the
function found, the result put into an object again. Divided by `size`, a time is that price; `python_inline`, the same
loop without any call, is what the loop itself costs. Where the loop stands on the other side, in Cython's `cdef` or
Numba's, the crossing is paid once and the C compiler may even take the call away: the whole lesson is to cross seldom.

The least NumPy can be asked is the sum of two of its scalars; a ufunc, made for arrays, first has to find out that this
is none.
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
