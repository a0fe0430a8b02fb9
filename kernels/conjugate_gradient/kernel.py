"""Conjugate gradients: solve A x = b; each step takes a matrix-vector product, two inner products and three updates.

The matrix A, in CSR format, is that of Poisson's equation on a grid of `size` x `size` points with zero boundary
values. The method starts from x = 0 and r = p = b. Each step updates the residual, r = b - A x. The method ends when
|r| <= `relative_residual` |b|. A step is:

    q = A p;  a = r.r / p.q;  x += a p;  r -= a q;  p = r + (r.r / old r.r) p

The method takes about 3 `size` steps in float64 and 2 `size` steps in float32. Memory bandwidth limits their speed, so
it matters which operations share a pass over memory. Each inner product must be complete before the operations that
depend on it can begin. A step therefore takes at least three passes over the vectors if operations are fused, and six
passes if they are not. On a device, the host matters as well. If the host checks the residual after each step, the
device waits for the host. If the host checks a residual that is some steps old, the device does not wait, but computes
a few superfluous steps (the deferred convergence check of the lecture gtc2010).

The verifier compares x, the number of steps and the true residual, b - A x: see `tolerance` and `error_metrics`.

Source: Hestenes and Stiefel, Journal of Research of the National Bureau of Standards 49 (1952) 409.
"""

import math

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Conjugate gradients on Poisson's equation",
    size="points along a side of the grid",
    sizes={"smoke": (32,), "default": (64, 256), "lecture": (64, 128, 256, 512)},
    sizes_gpu=(1024, 2048),
    dtypes=("float64", "float32"),
    baseline="numpy_cg",
    baselines=("numpy_scipy", "numpy_reduceat"),
    lectures=("gtc2010",),
    check_sizes=(5, 12, 33),
    algorithms={
        "every step": "the host checks the residual after every step",
        "now and then": "the host checks the residual after several steps, or some steps late",
    },
)
RELATIVE_RESIDUAL = {"float64": 1e-8, "float32": 1e-4}
STEPS_SEEN = {8: 3.0, 4: 1.9}  # observed number of steps / size, by itemsize; accurate to 5 % from size 64 on
LARGEST_SIZE = 20_000  # maximum size: cuSPARSE and SciPy count elements in 32 bits
OFFSETS = np.array(
    [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]]
)  # (row, column) offsets of a point's neighbours and of the point itself, in the order of storage
VALUES = np.array([-1, -1, 4, -1, -1])


def poisson_matrix(size, dtype):
    """Return (data, indices, indptr) of the CSR matrix of size**2 rows, each row sorted by column."""
    if size > LARGEST_SIZE:
        raise ValueError(f"a grid of {size} points a side: more than {LARGEST_SIZE} need indices of 64 bits")
    position = np.arange(size, dtype=np.int32)
    rows, columns = position[:, None], position[None, :]
    inside = np.empty((size, size, len(OFFSETS)), bool)
    for k, (down, right) in enumerate(OFFSETS):
        inside[..., k] = (0 <= rows + down) & (rows + down < size) & (0 <= columns + right) & (columns + right < size)
    row_index = size * rows + columns
    indices = (row_index[..., None] + (OFFSETS @ [size, 1]).astype(np.int32))[inside]
    data = np.broadcast_to(VALUES.astype(dtype), inside.shape)[inside]
    indptr = np.zeros(size**2 + 1, np.int32)
    np.cumsum(inside.sum(axis=2, dtype=np.int32), out=indptr[1:])
    return data, indices, indptr


def most_steps(size, dtype):
    """Return a number of steps that suffices in exact arithmetic.

    After k steps, |r| / |b| is at most 2 sqrt(K) ((sqrt(K) - 1) / (sqrt(K) + 1))**k. Here K = cot(pi / (2 size + 2))**2
    is the condition number of the matrix. Source: Saad, Iterative Methods for Sparse Linear Systems, 2nd edition,
    section 6.11.3. Saad bounds the energy norm of the error; the factor sqrt(K) turns this bound into a bound
    of |r|.
    """
    if size == 0:
        return 0
    root = 1 / math.tan(math.pi / (2 * size + 2))
    return math.ceil(root / 2 * math.log(2 * root / RELATIVE_RESIDUAL[dtype]))


def inputs(size, dtype, rng):
    """Return the matrix (data, indices, indptr), the vector b and the limits relative_residual and most_steps.

    The elements of b are independent and uniform in [-1, 1). An implementation stops when |r| <= relative_residual |b|,
    or after most_steps steps.
    """
    data, indices, indptr = poisson_matrix(size, dtype)
    return {
        "data": data,
        "indices": indices,
        "indptr": indptr,
        "b": 2 * rng.random(size**2, dtype=dtype) - 1,
        "relative_residual": np.dtype(dtype).type(RELATIVE_RESIDUAL[dtype]),
        "most_steps": np.int64(most_steps(size, dtype)),
    }


def outputs(size, dtype):
    """Return the outputs: x and the number of steps."""
    return Output("x", (size**2,), dtype), Output("steps", (), "int64")


def reference(b, size, dtype):
    """Return (x, 0), with x in float64 computed by sine transforms, which diagonalise the matrix.

    The verifier subtracts the 0 from an implementation's number of steps and compares the difference with most_steps.
    The reference uses neither an iteration nor the matrix's arrays. Its error is a few eps of float64, relative to x.
    """
    from scipy.fft import dstn

    if size == 0:
        return np.empty(0), 0
    modes = 2 - 2 * np.cos(np.pi * np.arange(1, size + 1) / (size + 1))
    transformed = dstn(b.reshape(size, size).astype(np.float64), type=1)
    x = dstn(transformed / (modes[:, None] + modes[None, :]), type=1) / (2 * size + 2) ** 2
    return x.reshape(-1), 0


def tolerance(expected, size, dtype):
    """Return (100 relative_residual + 8 eps size) rms(x) for x, and most_steps for the number of steps.

    The error e of x solves A e = r. If r were noise like b, |e| / |x| would equal |r| / |b|, so rms(e) would be
    relative_residual rms(x). The method reduces some modes more than others, and the modes that it reduces less have
    larger errors. The largest observed errors, in units of relative_residual rms(x), are 1 to 3 on 32 x 32 points, 12
    on 256 x 256, and 25 on 1000 x 1000.

    Due to rounding, b - A x does not shrink below a few eps |A| |x|, where |A| = 8, even if the updated r is smaller
    (Greenbaum, SIAM J. Matrix Anal. Appl. 18 (1997) 535). As rms(x) is up to size / 10, this residual is about eps size
    |b|, and the relative error of x is about eps size, too. In float32 on 1000 x 1000 points, the final b - A x is
    three times as large as the updated r.
    """
    x, _ = expected
    scale = math.sqrt(np.mean(x * x)) if x.size else 0.0
    relative = 100 * RELATIVE_RESIDUAL[dtype] + 8 * float(np.finfo(dtype).eps) * size
    return relative * scale, most_steps(size, dtype)


def error_metrics(x, b, relative_residual, size, dtype):
    """Return the true residual, |b - A x| / |b| in float64, and its limit.

    The limit is 1.01 relative_residual + 4 eps size. The second term is for rounding errors; `tolerance` allows twice
    this term.
    """
    if size == 0:
        return {}
    grid = np.pad(x.reshape(size, size).astype(np.float64), 1)
    neighbours = grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:]
    residual = b - (4 * grid[1:-1, 1:-1] - neighbours).reshape(-1)
    allowed = 1.01 * float(relative_residual) + 4 * float(np.finfo(dtype).eps) * size
    return {"true residual": (np.linalg.norm(residual) / np.linalg.norm(b.astype(np.float64)), allowed)}


def steps_seen(size, itemsize):
    return round(STEPS_SEEN[itemsize] * size)


def elements(size):
    """Return the number of stored elements: five per row, minus the neighbours beyond the four borders."""
    return max(5 * size**2 - 4 * size, 0)


def bytes_moved(size, itemsize):
    """Return the bytes that `steps_seen` steps read and write, assuming that no pass finds its data in a cache.

    A step takes three passes. The first computes q (matrix and p read, q written), the second r (r and q read, r
    written), the third x and p (x, p and r read, x and p written).
    """
    vector, steps = size**2 * itemsize, steps_seen(size, itemsize)
    return steps * (matrix_bytes(size, itemsize) + 6 * vector), steps * 4 * vector


def footprint_bytes(size, itemsize):
    """Return the bytes of the matrix and of the vectors b, x, r, p and q."""
    return matrix_bytes(size, itemsize) + 5 * size**2 * itemsize


def matrix_bytes(size, itemsize):
    index = np.dtype(np.int32).itemsize
    return elements(size) * (itemsize + index) + (size**2 + 1) * index


def flops(size, itemsize):
    return steps_seen(size, itemsize) * (2 * elements(size) + 10 * size**2)
