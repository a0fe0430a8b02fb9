"""Sparse matrix times vector: y[i] = data[k] x[indices[k]] + ... for indptr[i] <= k < indptr[i+1] (CSR).

The matrix is that of Poisson's equation on a grid of `size` x `size` points with zero boundary values: 4 on the
diagonal, -1 for each of up to four neighbours. Each stored element takes two operations and is read once, with the
number of its column, so memory bandwidth is the limit for all sizes. Implementations differ in how they read the
matrix. With one thread per row, neighbouring threads read elements five apart. With a warp per row, they read
consecutive elements, but a row of five leaves most of a warp idle. A block that loads the elements of all its rows in
order, and only then adds them up by rows, avoids both problems.
"""

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Sparse matrix times vector",
    size="points along a side of the grid",
    sizes={"smoke": (32,), "default": (128, 1024), "lecture": (32, 128, 512, 1024, 2048)},
    sizes_gpu=(4096,),
    dtypes=("float64", "float32"),
    baseline="numpy_scipy",
    baselines=("numpy_scipy_diagonals",),
    lectures=("gtc2010",),
    check_sizes=(257,),
    algorithms={
        "rows": "the matrix row by row, by columns' numbers (CSR)",
        "diagonals": "the matrix stored along its diagonals",
    },
)
LARGEST_SIZE = 20_000  # maximum size: cuSPARSE and SciPy count elements in 32 bits
OFFSETS = np.array(
    [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]]
)  # offsets of rows and columns to a neighbour, in the order of storage
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


def inputs(size, dtype, rng):
    """Return data, indices, indptr: the matrix. x: a number for each point, independent and uniform in [-1, 1)."""
    data, indices, indptr = poisson_matrix(size, dtype)
    x = 2 * rng.random(size**2, dtype=dtype) - 1
    return {"data": data, "indices": indices, "indptr": indptr, "x": x}


def outputs(size, dtype):
    return (Output("y", (size**2,), dtype),)


def add_neighbours(size, grid, factor, out):
    """Add factor * (sum over a point's neighbours) to out, for arrays of shape (size, size)."""
    for here, there in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
        out[here] += factor * grid[there]
        out[:, here] += factor * grid[:, there]


def reference(x, size):
    """Return the product in float64, shape (size**2,), from the grid alone, without the matrix's arrays."""
    grid = x.reshape(size, size).astype(np.float64)
    y = 4 * grid
    add_neighbours(size, grid, -1, y)
    return y.reshape(-1)


def tolerance(x, size, dtype):
    """Return 5 u |row| |x|, elementwise, where u = eps / 2, plus the same with float64's u for the reference.

    The products, by 4 and by -1, are exact. Each of at most four additions has an error of at most u times its result.
    No partial sum exceeds |row| |x| = 4 |x[i]| + |x[neighbours]|, so the error is at most 4 u |row| |x| in any order.
    The fifth u covers terms in u**2.
    """
    grid = np.abs(x.reshape(size, size)).astype(np.float64)
    bound = 4 * grid
    add_neighbours(size, grid, 1, bound)
    return 2.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps) * bound.reshape(-1)


def elements(size):
    """Return the number of stored elements: five per row, except for neighbours beyond the four borders."""
    return max(5 * size**2 - 4 * size, 0)


def bytes_moved(size, itemsize):
    index = np.dtype(np.int32).itemsize
    matrix = elements(size) * (itemsize + index) + (size**2 + 1) * index
    return matrix + size**2 * itemsize, size**2 * itemsize


def flops(size):
    return 2 * elements(size)
