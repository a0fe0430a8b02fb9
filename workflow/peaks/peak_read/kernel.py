"""Read bandwidth: the sum of a vector too large for the caches.

This bandwidth limits kernels that mostly read. Implementations may add up in any order. The peak is the rate of the
fastest implementation.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output, whole_numbers

KERNEL = Kernel(
    title="Peak: memory read",
    size="number of elements",
    sizes={"smoke": (1_000_000,), "default": (10_000_000,), "lecture": (100_000_000,)},
    sizes_gpu=(30_000_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_sum",
    check_sizes=(1_000_000,),
)


def inputs(size, dtype, rng):
    """Return x: `size` numbers, independent and uniform in [-1, 1)."""
    x = rng.random(size, dtype=dtype)
    x *= 2
    x -= 1
    return {"x": x}


def exact_inputs(size, dtype, rng):
    """Return x: whole numbers, whose sums need no rounding."""
    return {"x": whole_numbers(size, dtype, rng)}


def outputs(dtype):
    return (Output("total", (), dtype),)


def reference(x):
    """Return the sum as a float. NumPy adds parts of 4096 elements in float64. math.fsum adds these sums exactly.

    NumPy sums each part pairwise, so each element takes part in at most 23 additions. The worst case for float64, 11.5
    eps sum|x|, is half the tolerance for 1e7 elements. Observed errors are a thousandth of the worst case.
    """
    return math.fsum(float(x[start : start + 4096].sum(dtype=np.float64)) for start in range(0, x.size, 4096))


def tolerance(x, dtype):
    """Return eps * ceil(log2(n)) * sum|x|.

    This is twice the worst case of a balanced tree (Higham, Accuracy and Stability of Numerical Algorithms, section
    4.2). For centred inputs, the errors of sums in lanes, threads and work-items are far below this tolerance:
    kernels/vector_sum/kernel.py contains the derivation.
    """
    total = float(np.abs(x).sum(dtype=np.float64))
    return float(np.finfo(dtype).eps) * math.ceil(math.log2(max(x.size, 1))) * total


def bytes_moved(size, itemsize):
    return size * itemsize, itemsize


def flops(size):
    return max(size - 1, 0)
