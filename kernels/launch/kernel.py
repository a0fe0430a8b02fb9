"""Launch: a kernel that does nothing, so that only its launch is timed.

Every call crosses from Python into a library and from there, where there is a device, into a driver and over a bus. The
kind `launch` is the host's time for a launch that it does not wait for; `call` is the whole way there and back;
`compute` is how closely launches follow one another on the device. The baseline is the least that NumPy can do: a ufunc
that leaves a vector of one element as it is.

gtc2010 warns that a GPU takes orders at a rate of about a thousand a second; that rate is measured here.
"""

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Launch: a kernel that does nothing",
    size="number of elements that are left alone",
    sizes={"smoke": (1,), "default": (1,), "lecture": (1,)},
    dtypes=("float64",),
    baseline="numpy_positive",
    lectures=("gtc2010",),
)


def inputs(size, dtype, rng):
    """x: `size` numbers, independent and uniform in [0, 1)."""
    return {"x": rng.random(size, dtype=dtype)}


def outputs(size, dtype):
    return (Output("x", (size,), dtype, inout=True),)


def reference(x):
    """x as it was, shape (size,)."""
    return x


def tolerance():
    """Zero: nothing may change."""
    return 0.0


def bytes_moved():
    return 0, 0


def flops():
    return 0
