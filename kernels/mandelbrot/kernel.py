"""The Mandelbrot set: the number of steps z <- z**2 + c, from z = 0, until |z| exceeds 2, for the points c of an image.

    counts[i, j] = smallest n <= limit with |z_n| > 2, or else limit,     c = x[j] + 1j y[i]

Neighbouring points take between one step and all of them. Threads of a GPU's warp, or lanes of a register, wait for
their slowest point. A CPU's threads that share the rows evenly do not share the work evenly. Only coordinates are read,
so arithmetic is the limit; array operations pass over memory at every step.

z is computed in the dtype of x and y. Rounding decides how many steps a chaotic orbit takes, so the count depends on
whether a compiler fuses products and sums (CUDA's does, GCC does with -march=native). All such counts are right.
`reference` therefore computes z and a bound on the difference of any such computation from it, and returns the middle
of the possible counts; `tolerance` is half of their range. For nearly all points only one count is possible.
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
        "until it leaves": "each point until it leaves the circle",
        "all steps": "all points at every step, also those that left the circle long before",
    },
)
LEFT, BOTTOM, SIDE = -2.0, -1.25, 2.5


def inputs(size, dtype, rng, iterations):
    """Return x, y: `size` coordinates each; limit: the option `iterations`, an int32.

    The coordinates are a pixel apart, in a square around the set that is shifted by a random fraction of a pixel.
    """
    if iterations != int(iterations) or not 1 <= iterations <= 10_000:
        raise ValueError(f"iterations={iterations}: give a whole number from 1 to 10000")
    x, y = (start + SIDE * (np.arange(size) + rng.random()) / max(size, 1) for start in (LEFT, BOTTOM))
    return {"x": x.astype(dtype), "y": y.astype(dtype), "limit": np.int32(iterations)}


def outputs(size):
    return (Output("counts", (size, size), "int32"),)


def reference(x, y, limit):
    """Return the middle between the fewest and the most steps that rounding allows for a point."""
    fewest, most = possible(x, y, limit)
    return (fewest + most) / 2


def tolerance(x, y, limit):
    """Return half the difference between fewest and most steps: zero, except for points with chaotic orbits."""
    fewest, most = possible(x, y, limit)
    return (most - fewest) / 2


def possible(x, y, limit):
    """Return (fewest, most) steps until computations in the dtype of x find |z| > 2, float64 of shape (size, size).

    Let z be the value in float64 here and z + d the value elsewhere. A step changes d to

        d' = (2 z + d) d + e,    |e| <= 4 u (2 |z + d|**2 + |c|)

    where u is the sum of both units roundoff. The error of z**2 + c is at most u (3.2 |z|**2 + |z**2 + c|) to first
    order, for fused or separate products and sums, and for (a + b) (a - b) instead of a**2 - b**2. So `off` bounds |d|.
    If |z| exceeds 2 by more than `off` and the test's own rounding, every computation finds that it does. If |z| is
    below 2 by less than that, some may. Once `off` is above 1/4, any count is possible.
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
    """Return nine per step: three products, five sums and a comparison.

    A quarter of the square, 24.1 % of it, is inside and takes all steps. The measured mean of all points follows this
    formula within 2 % from 10 to 1000 iterations.
    """
    steps = min(iterations, 2 + 0.241 * iterations + 0.66 * math.log(iterations))
    return round(9 * steps * size**2)
