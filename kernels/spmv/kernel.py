"""CSR matrix times vector: y[i] is the sum of data[k] * x[indices[k]] over indptr[i] <= k < indptr[i+1].

The matrix discretises Poisson's equation on a grid of `size` x `size` points with zero boundary values. Each row of the
matrix has 4 on the diagonal and -1 for each of the point's neighbours (at most four). Each stored element and its
column number are read once, for two operations, so the bandwidth of memory or of a cache is the limit. Implementations
differ in how they read the matrix. With one thread per row, neighbouring threads read elements that are five elements
apart. With a warp per row, the threads read consecutive elements, but most of the warp is idle, because a row has only
five elements. A block avoids both problems if it first loads the elements of all its rows in order, and then adds them
up by rows.
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
        "rows": "the matrix stored row by row, with the column number of each element (CSR)",
        "diagonals": "the matrix stored along its diagonals",
    },
)
LARGEST_SIZE = 20_000  # maximum size: cuSPARSE and SciPy count elements in 32 bits
OFFSETS = np.array(
    [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]]
)  # (row, column) offsets from a point to its neighbours and to itself, in the order in which a matrix row stores them
VALUES = np.array([-1, -1, 4, -1, -1])


def poisson_matrix(size, dtype):
    """Return (data, indices, indptr), the arrays of a CSR matrix. It has size**2 rows, each sorted by column."""
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
    """Return the matrix (data, indices and indptr) and x, which has a uniform number in [-1, 1) for each grid point."""
    data, indices, indptr = poisson_matrix(size, dtype)
    x = 2 * rng.random(size**2, dtype=dtype) - 1
    return {"data": data, "indices": indices, "indptr": indptr, "x": x}


def outputs(size, dtype):
    return (Output("y", (size**2,), dtype),)


def add_neighbours(size, grid, factor, out):
    """Add factor * (sum of grid over the point's neighbours) to each point of out; both have shape (size, size)."""
    for here, there in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
        out[here] += factor * grid[there]
        out[:, here] += factor * grid[:, there]


def reference(x, size):
    """Return the product in float64, shape (size**2,), computed on the grid and without the matrix's arrays."""
    grid = x.reshape(size, size).astype(np.float64)
    y = 4 * grid
    add_neighbours(size, grid, -1, y)
    return y.reshape(-1)


def tolerance(x, size, dtype):
    """Return the bound 5 u b of each row, where u = eps / 2, plus the reference's bound, which uses the u of float64.

    For row i, b = 4 |x[i]| + the sum of |x| over the neighbours. Products with 4 and -1 are exact. A row has at most
    four additions, each with an error of at most u times its result. No partial sum exceeds b, so the error is at most
    4 u b for any order of additions. The fifth u covers terms in u**2.
    """
    grid = np.abs(x.reshape(size, size)).astype(np.float64)
    bound = 4 * grid
    add_neighbours(size, grid, 1, bound)
    return 2.5 * float(np.finfo(dtype).eps + np.finfo(np.float64).eps) * bound.reshape(-1)


def elements(size):
    """Return the number of stored elements: five per row, less `size` at each of the grid's four borders."""
    return max(5 * size**2 - 4 * size, 0)


def bytes_moved(size, itemsize):
    index = np.dtype(np.int32).itemsize
    matrix = elements(size) * (itemsize + index) + (size**2 + 1) * index
    return matrix + size**2 * itemsize, size**2 * itemsize


def flops(size):
    return 2 * elements(size)
