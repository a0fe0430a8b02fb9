"""Softmax of a matrix's rows: out[i, j] = exp(x[i, j]) / (exp(x[i, 0]) + ... + exp(x[i, m-1])).

Computed as written, it overflows for large x, and divides 0 by 0 for small ones. All implementations subtract the row's
maximum first: the result stays the same, and no exponent is positive. A row is read for its maximum, then for the
exponentials and their sum, then for the quotients. As array code these are five passes over a whole matrix; fused, a
row stays in a cache, a block's registers or shared memory from its first pass to its last, and memory is read and
written once.

This is the kernel that today's libraries explain fusion with, since neural networks spend their time in it.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Softmax of rows",
    size="rows",
    sizes={"smoke": (10,), "default": (100, 10_000), "lecture": (10, 100, 1_000, 10_000)},
    sizes_gpu=(100_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_blocked",
    baselines=("numpy_softmax",),
    options={"columns": 1000},
)
SAMPLE = 16  # rows whose errors are ranked
OFFSETS = (0, 1000, -1000)  # of rows in turn: exp overflows at 710, or 89 in float32, and is 0 from -746 or -104 on


def inputs(size, dtype, rng, columns):
    """x: matrix of shape (size, columns), elements independent and uniform in [-10, 10), with 1000 added in every third
    row and subtracted in the next."""
    x = rng.random((size, columns), dtype=dtype)
    x *= 20
    x -= 10
    x += np.resize(OFFSETS, size).astype(dtype)[:, np.newaxis]
    return {"x": x}


def exact_inputs(size, dtype, rng, columns):
    """x: in each row, 2**k neighbouring columns, in a circle, that are equal and 200 above all others, which the sum
    loses: each of these has the share 2**-k exactly. Where they begin is random, and so is k."""
    begin, most = rng.integers(columns, size=(size, 1)), 2 ** rng.integers(int(columns).bit_length(), size=(size, 1))
    offsets = np.resize(OFFSETS, (size, 1))
    return {"x": (offsets - 200 * ((np.arange(columns) + begin) % columns >= most)).astype(dtype)}


def outputs(size, dtype, columns):
    return (Output("out", (size, columns), dtype),)


def reference(x):
    """exp(x - maximum) / sum in float64 by rows, shape (size, columns)."""
    out = x.astype(np.float64)
    out -= out.max(axis=1, keepdims=True)
    np.exp(out, out=out)
    out /= out.sum(axis=1, keepdims=True)
    return out


def tolerance(expected, dtype, columns):
    """(28 + 4 sqrt(m / 3) + m / 100) eps, relative, for m columns; and the smallest normal number for results that may
    be flushed to zero.

    x - maximum, 20 at most, rounds by up to 8 eps where x lies around 0, and so does its exponential, relative; that
    errs by up to 4 units in the last place besides in the vector libraries, and by less in the others. Both hold for
    the numerator and, all terms being positive, for the sum. Quotient or reciprocal and product err by up to 3 eps
    (OpenCL's float32), the float64 reference by half of one in its own precision: 28 eps.

    Write u = eps / 2. A balanced tree adds u ceil(log2(m)), left-to-right sums u (m - 1) at worst. As rounding errors
    behave as mean-independent (Higham and Mary, SIAM J. Sci. Comput. 41 (2019) A2815), sums of positive terms reach
    c u sqrt(m / 3) with a probability of 2 exp(-c**2 / 2), and 4 sqrt(m / 3) eps corresponds to c = 8.

    From left to right there is a drift besides: where partial sums are h apart, terms below h / 2 vanish, and what is
    rounded up does not make good for them. The terms are e**-d for d uniform in [0, 20), one in 20 for each unit of d,
    of which the loss is h (1/2 - (1 - ln 2) / 2) = 0.35 h; with h <= eps k / m of the whole sum at the k-th of m terms,
    the m of them lose up to 0.35 / 20 m / 2 = 0.009 m eps.
    """
    eps = float(np.finfo(dtype).eps)
    return (28 + 4 * math.sqrt(columns / 3) + columns / 100) * eps * expected + float(np.finfo(dtype).smallest_normal)


def exact_tolerance(expected, dtype):
    """4 eps, relative, for a quotient that is not rounded correctly: sums are exact, terms that vanish stay below."""
    return 4 * float(np.finfo(dtype).eps) * expected + float(np.finfo(dtype).smallest_normal)


def error_metrics(out, expected, dtype):
    """Relative errors that nine in ten elements stay below, in eps: 16, beside the factor that all of a row share, its
    sum's. Implementations for processors stay below 4. Only some of many rows are looked at."""
    some = slice(None, None, max(1, len(out) // SAMPLE))
    right = expected[some] > np.finfo(dtype).smallest_normal
    if not right.any():
        return {}
    ratios = np.where(right, out[some] / np.where(right, expected[some], 1), np.nan)
    ratios /= np.nanmedian(ratios, axis=1, keepdims=True)
    error = np.nanquantile(np.abs(ratios - 1), 0.9) / float(np.finfo(dtype).eps)
    return {"nine in ten beside their rows' sums": (error, 16)}


def bytes_moved(size, itemsize, columns):
    return size * columns * itemsize, size * columns * itemsize


def flops(size, columns):
    """Five per element, a function counted as one operation: maximum, difference, exp, sum, quotient."""
    return 5 * size * columns
