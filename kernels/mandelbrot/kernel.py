"""Count for each point c of an image the steps z <- z**2 + c, from z = 0, until |z| exceeds 2 (the Mandelbrot set).

    counts[i, j] = smallest n <= limit with |z_n| > 2, or limit if there is none,     c = x[j] + 1j y[i]

One point may take a single step, and its neighbour all steps. The threads of a GPU's warp, or the lanes of a register,
wait for their slowest point. If a CPU's threads share the rows evenly, they do not share the work evenly. Loops read
only the coordinates, so arithmetic is the limit. Array operations pass over memory at every step.

Implementations compute z in the dtype of x and y. Rounding errors decide how many steps a chaotic orbit takes, so the
count depends on whether a compiler fuses products and sums (CUDA's does, GCC does with -march=native). Either count is
accepted: the function `possible` bounds the rounding errors of z and returns the fewest and the most steps. `reference`
is the mean of these two counts, and `tolerance` is half their difference. For nearly all points the two are equal.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Mandelbrot set",
    size="rows of the square image",
    sizes={"smoke": (64,), "default": (100, 500), "lecture": (100, 300, 1000)},
    sizes_gpu=(3000,),
    dtypes=("float64", "float32"),
    baseline="numpy_remaining",
    baselines=("numpy_complex",),
    options={"iterations": 200},
    check_sizes=(130,),
    block_dimensions=2,
    algorithms={
        "until it leaves": "each point is computed until it leaves the circle",
        "all steps": "all points at every step, also those that left the circle long before",
    },
)
LEFT, BOTTOM, SIDE = -2.0, -1.25, 2.5


def inputs(size, dtype, rng, iterations):
    """Return x, y: `size` coordinates each; limit: the option `iterations`, an int32.

    The image is a square around the set. A random fraction of a pixel shifts the coordinates, which are a pixel apart.
    """
    if iterations != int(iterations) or not 1 <= iterations <= 10_000:
        raise ValueError(f"iterations={iterations}: give a whole number from 1 to 10000")
    x, y = (start + SIDE * (np.arange(size) + rng.random()) / max(size, 1) for start in (LEFT, BOTTOM))
    return {"x": x.astype(dtype), "y": y.astype(dtype), "limit": np.int32(iterations)}


def outputs(size):
    return (Output("counts", (size, size), "int32"),)


def reference(x, y, limit):
    """Return for each point the mean of the fewest and the most steps that are possible with rounding errors."""
    fewest, most = possible(x, y, limit)
    return (fewest + most) / 2


def tolerance(x, y, limit):
    """Return half the difference between the most and the fewest steps. It is zero except for chaotic orbits."""
    fewest, most = possible(x, y, limit)
    return (most - fewest) / 2


def possible(x, y, limit):
    """Return the fewest and the most steps until computations in the dtype of x find |z| > 2.

    Both results are float64 of shape (size, size). Let z be the value in float64 here and z + d the value in another
    computation. A step changes d to

        d' = (2 z + d) d + e,    |e| <= 4 u (2 |z + d|**2 + |c|)

    where u is the unit roundoff of the dtype plus that of float64. To first order, the error of z**2 + c is at most u
    (3.2 |z|**2 + |z**2 + c|). This holds for fused or separate products and sums, and for (a + b) (a - b) instead of
    a**2 - b**2. `off` is the resulting bound on |d|. If |z| exceeds 2 by more than `off` plus the rounding error of the
    test, every computation finds |z| > 2. If |z| is below 2 by less than this sum, some computations may find |z| > 2.
    Once `off` is above 1/4, any later count is possible.
    """
    unit = 0.5 * (np.finfo(x.dtype).eps + np.finfo(np.float64).eps)
    c = (x.astype(np.float64) + 1j * y.astype(np.float64)[:, np.newaxis]).reshape(-1)
    fewest, most = np.full((2, c.size), limit, np.float64)
    z, off, open_ = np.zeros_like(c), np.zeros(c.size), np.arange(c.size)
    for step in range(1, limit + 1):
        larger = np.abs(z) + off
        off = (np.abs(z) + larger) * off + 4 * unit * (2 * larger**2 + np.abs(c))
        z = z * z + c
        length, lost = np.abs(z), off > 0.25
        possibly = lost | (length + off > 2 - 8 * unit)
        fewest[open_[possibly]] = np.minimum(fewest[open_[possibly]], step)
        surely = ~lost & (length - off > 2 + 8 * unit)
        most[open_[surely]] = step
        going = ~(surely | lost)
        z, c, off, open_ = z[going], c[going], off[going], open_[going]
    shape = y.size, x.size
    return fewest.reshape(shape), most.reshape(shape)


def bytes_moved(size, itemsize):
    return 2 * size * itemsize, size**2 * 4


def flops(size, iterations):
    """Return the number of operations: nine per step, namely three products, five sums and a comparison.

    About a quarter of the points, 24.1 %, are inside the set and take all steps. The formula for the mean number of
    steps agrees with counted steps within 2 % from 10 to 1000 iterations.
    """
    steps = min(iterations, 2 + 0.241 * iterations + 0.66 * math.log(iterations))
    return round(9 * steps * size**2)
