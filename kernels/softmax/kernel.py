"""Softmax of a matrix's rows: out[i, j] = exp(x[i, j]) / (exp(x[i, 0]) + ... + exp(x[i, m-1])).

Computed as written, it overflows for large x, and divides 0 by 0 for small ones. All implementations subtract the row's
maximum first: the result stays the same, and no exponent is positive. A row is read for its maximum, then for the
exponentials and their sum, then for the quotients. As array code these are five passes over a whole matrix. Fused, a
row stays in a cache, a block's registers or shared memory from the first pass to the last, and memory is read and
written once.

Libraries explain fusion by this kernel, since neural networks spend much of their time in it.
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
SAMPLE = 16  # number of rows whose errors are ranked
OFFSETS = (0, 1000, -1000)  # added to rows in turn: exp overflows at 710 (float32: 89), and is 0 from -746 (-104) on


def inputs(size, dtype, rng, columns):
    """Return x: matrix of shape (size, columns), elements independent and uniform in [-10, 10).

    1000 is added in every third row and subtracted in the next.
    """
    x = rng.random((size, columns), dtype=dtype)
    x *= 20
    x -= 10
    x += np.resize(OFFSETS, size).astype(dtype)[:, np.newaxis]
    return {"x": x}


def exact_inputs(size, dtype, rng, columns):
    """Return x: in each row, 2**k neighbouring columns, cyclically, are equal and 200 above all others.

    Each of them has the quotient 2**-k exactly, since the sum loses the others. k and the first column are random.
    """
    begin, most = rng.integers(columns, size=(size, 1)), 2 ** rng.integers(int(columns).bit_length(), size=(size, 1))
    offsets = np.resize(OFFSETS, (size, 1))
    return {"x": (offsets - 200 * ((np.arange(columns) + begin) % columns >= most)).astype(dtype)}


def outputs(size, dtype, columns):
    return (Output("out", (size, columns), dtype),)


def reference(x):
    """Return exp(x - maximum) / sum in float64 by rows, shape (size, columns)."""
    out = x.astype(np.float64)
    out -= out.max(axis=1, keepdims=True)
    np.exp(out, out=out)
    out /= out.sum(axis=1, keepdims=True)
    return out


def tolerance(expected, dtype, columns):
    """Return (28 + 4 sqrt(m / 3) + m / 100) eps, relative, for m columns, plus the smallest normal number.

    The latter is for results that may be flushed to zero.

    x - maximum, 20 at most, rounds by up to 8 eps where x is around 0, which becomes the relative error of its
    exponential. The exponential also errs by up to 4 units in the last place in the vector libraries, and by less
    elsewhere. Both hold for the numerator and, all terms being positive, for the sum. Quotient or reciprocal and
    product err by up to 3 eps (OpenCL's float32), the float64 reference by half of one in its own precision: 28 eps.

    Let u = eps / 2. A balanced tree adds u ceil(log2(m)), left-to-right sums u (m - 1) at worst. As rounding errors
    behave as mean-independent (Higham and Mary, SIAM J. Sci. Comput. 41 (2019) A2815), sums of positive terms reach
    c u sqrt(m / 3) with a probability of 2 exp(-c**2 / 2), and 4 sqrt(m / 3) eps corresponds to c = 8.

    Left-to-right sums also drift. If the spacing of partial sums is h, terms below h / 2 vanish, and those that are
    rounded up do not compensate for them. The terms are e**-d for d uniform in [0, 20), one in 20 for each unit of d.
    The loss per unit is h (1/2 - (1 - ln 2) / 2) = 0.35 h. With h <= eps k / m of the whole sum at the k-th of m terms,
    the m of them lose up to 0.35 / 20 m / 2 = 0.009 m eps.
    """
    eps = float(np.finfo(dtype).eps)
    return (28 + 4 * math.sqrt(columns / 3) + columns / 100) * eps * expected + float(np.finfo(dtype).smallest_normal)


def exact_tolerance(expected, dtype):
    """Return 4 eps, relative, for a quotient that is not rounded correctly: sums are exact, and small terms vanish."""
    return 4 * float(np.finfo(dtype).eps) * expected + float(np.finfo(dtype).smallest_normal)


def error_metrics(out, expected, dtype):
    """Return the 0.9 quantile of the relative errors of a sample of rows, in eps, with its limit, 16.

    The errors exclude the factor common to a row, that of its sum. Implementations for processors stay below 4.
    """
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
    """Return five per element, a function counted as one operation: maximum, difference, exp, sum, quotient."""
    return 5 * size * columns
