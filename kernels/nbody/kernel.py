"""Gravity of n bodies on each other: the acceleration of each, from all pairs, with softening.

    acceleration[:, i] = sum over j of m[j] d / (|d|**2 + softening)**1.5,    d = position[:, j] - position[:, i]

The units are such that the constant of gravitation is 1. `softening` is the square of a length below which bodies
attract each other less. Body i adds nothing to its own sum. Many simulations, for example by the leap-frog method,
spend most of their time here.

There are n**2 pairs but only 4 n numbers, so arithmetic is the limit. Each pair takes a root and a division, for which
processors have instructions. On a GPU, a block loads bodies into shared memory tile by tile, where all its threads read
them.

There is no numexpr implementation: its sums along an axis run on one thread and take longer than NumPy's.
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
PAIRS = 65_536  # number of pairs per block of bodies


def inputs(size, dtype, rng):
    """Return position: (3, size) numbers, independent and uniform in [-1, 1): all x, all y, all z.

    mass: `size` numbers, uniform in [1/2, 3/2), divided by the number of bodies. softening: a number.
    """
    return {
        "position": 2 * rng.random((3, size), dtype=dtype) - 1,
        "mass": ((rng.random(size) + 0.5) / max(size, 1)).astype(dtype),
        "softening": np.dtype(dtype).type(SOFTENING),
    }


def outputs(size, dtype):
    return (Output("acceleration", (3, size), dtype),)


def reference(position, mass, softening):
    """Return the accelerations in float64, added up pairwise, shape (3, size)."""
    return sums(position, mass, softening, lambda terms: terms)


def sums(position, mass, softening, of):
    """Return the sums over j of of(m[j] d / (|d|**2 + softening)**1.5) in float64, a block of bodies i at a time."""
    position, mass = position.astype(np.float64), mass.astype(np.float64)
    totals = np.zeros(position.shape)
    rows = max(1, PAIRS // max(mass.size, 1))
    for start in range(0, mass.size, rows):
        d = position[:, np.newaxis] - position[:, start : start + rows, np.newaxis]
        squares = np.einsum("kij,kij->ij", d, d) + np.float64(softening)
        totals[:, start : start + rows] = of(d * (mass / (squares * np.sqrt(squares)))).sum(axis=2)
    return totals


def tolerance(position, mass, softening, dtype):
    """Return (32 + min(n, 4 sqrt(n))) u times the sum of the terms' absolute values, elementwise, where u = eps / 2.

    The reference's error has the same bound with float64's u, which is added.

    One term: Each component of d has a relative error of u. So |d|**2 + softening has 6 u, including three products and
    three sums. The inverse root halves this to 3 u. Root and division add up to 4 u, as does an inverse root of 2 units
    in the last place (CUDA, OpenCL): 7 u. The cube has 23 u, and after the products by m and d, the term has 26 u.

    The sum: From left to right, the error is at most n u times the sum of absolute values; the tolerance contains this
    for n < 16. For larger n, rounding errors behave as mean-independent (Higham and Mary, SIAM J. Sci. Comput. 41
    (2019) A2815). They exceed c sqrt(n) u times that sum only with a probability of 2 exp(-c**2 / 2). With c = 4, and
    partial sums that reach their bound only at the end, this happens less than once in 1e10. Lanes, tiles and trees
    make shorter sums, with smaller errors.
    """
    n = mass.size
    unit = 0.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps)
    return (32 + min(n, 4 * n**0.5)) * unit * sums(position, mass, softening, np.abs)


def bytes_moved(size, itemsize):
    return 4 * size * itemsize, 3 * size * itemsize


def flops(size):
    """Return 19 operations per pair.

    These are 3 differences; 3 products and 3 sums for the square; its inverse root, counted as one; 3 products for its
    cube and the mass; 3 products and 3 sums.
    """
    return 19 * size**2
