"""Compute the acceleration of each of n bodies by the gravity of all others, with softening.

    acceleration[:, i] = sum over j of m[j] d / (|d|**2 + softening)**1.5,    d = position[:, j] - position[:, i]

The units are such that the constant of gravitation is 1. `softening` is the square of a length. Bodies attract each
other less if their distance is below this length. The term j = i is zero. Many simulations, for example by the
leap-frog method, spend most of their time in this sum.

There are n**2 pairs but only 4 n numbers, so arithmetic is the limit. Each pair takes a root and a division, for which
processors have instructions. On a GPU, a block can load a tile of bodies at a time into shared memory, where all
threads of the block read them.

There is no numexpr implementation: numexpr computes sums along an axis on one thread and takes longer than NumPy.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Gravity of n bodies, all pairs",
    size="number of bodies",
    sizes={"smoke": (100,), "default": (100, 1000), "lecture": (100, 1000, 10_000)},
    sizes_gpu=(30_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_blocked",
    baselines=("numpy_rows",),
    check_sizes=(300,),
)
SOFTENING = 0.01
PAIRS = 65_536  # maximum number of pairs that `sums` computes at a time


def inputs(size, dtype, rng):
    """Return position: all x, all y and all z, shape (3, size), independent and uniform in [-1, 1).

    Also return mass: `size` numbers, uniform in [1/2, 3/2), divided by the number of bodies; and softening: a number.
    """
    return {
        "position": 2 * rng.random((3, size), dtype=dtype) - 1,
        "mass": ((rng.random(size) + 0.5) / max(size, 1)).astype(dtype),
        "softening": np.dtype(dtype).type(SOFTENING),
    }


def outputs(size, dtype):
    return (Output("acceleration", (3, size), dtype),)


def reference(position, mass, softening):
    """Return the accelerations in float64, shape (3, size), by NumPy's pairwise summation."""
    return sums(position, mass, softening, lambda terms: terms)


def sums(position, mass, softening, of):
    """Apply the function `of` to all terms m[j] d / (|d|**2 + softening)**1.5 and return the float64 sums over j."""
    position, mass = position.astype(np.float64), mass.astype(np.float64)
    totals = np.zeros(position.shape)
    rows = max(1, PAIRS // max(mass.size, 1))
    for start in range(0, mass.size, rows):
        d = position[:, np.newaxis] - position[:, start : start + rows, np.newaxis]
        squares = np.einsum("kij,kij->ij", d, d) + np.float64(softening)
        totals[:, start : start + rows] = of(d * (mass / (squares * np.sqrt(squares)))).sum(axis=2)
    return totals


def tolerance(position, mass, softening, dtype):
    """Return (32 + min(n, 4 sqrt(n))) u S for each element, where S is the sum of the terms' absolute values.

    u is eps / 2 of the dtype plus that of float64, since the float64 reference also has rounding errors.

    One term: Each component of d has a relative error of u. So |d|**2 + softening has an error of 6 u, including three
    products and three sums. The inverse root halves this error to 3 u. A root and a division add at most 4 u. An
    inverse root with an error of 2 units in the last place (CUDA, OpenCL) adds as much. So the inverse root has an
    error of 7 u, its cube of 23 u, and the term of 26 u after the products by m and d.

    The sum: From left to right, the error is at most n u S. The tolerance contains this worst case for n < 16. For
    larger n, rounding errors behave as mean-independent (Higham and Mary, SIAM J. Sci. Comput. 41 (2019) A2815). The
    error exceeds c sqrt(n) u S only with a probability of 2 exp(-c**2 / 2). Here c = 4. Partial sums reach S only at
    the end, so there is less than one false alarm in 1e10. Lanes, tiles and trees make shorter sums, with smaller
    errors.
    """
    n = mass.size
    unit = 0.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)
    return (32 + min(n, 4 * n**0.5)) * unit * sums(position, mass, softening, np.abs)


def bytes_moved(size, itemsize):
    return 4 * size * itemsize, 3 * size * itemsize


def flops(size):
    """Return the number of operations, 19 per pair.

    A pair takes 3 differences for d, 3 products and 3 sums for |d|**2 + softening, an inverse root (counted as one), 3
    products for the root's cube and the mass, and 3 products and 3 sums for the acceleration.
    """
    return 19 * size**2
