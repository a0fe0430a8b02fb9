"""Copy every third row of a matrix: out = x[::3].copy().

x[::3] is a view: for any size, NumPy only computes address, shape and strides, and moves no data. Copying the view
takes time. The lecture's benchmark of array operations (CuPy over NumPy, at 8 and 800 MB) calls this copy of a square
matrix "array slicing". Rows are contiguous, so the copy reads a third of the matrix, row by row, and writes as much.
Memory bandwidth is the limit, as for any copy.

The matrix is square with `size` rows. out has ceil(size / 3) rows: out[i, j] = x[3 i, j].

Source of the operation: P. Entschev, pybench, github.com/pentschev/pybench.
"""

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Slicing: every third row",
    size="rows of the square matrix",
    sizes={"smoke": (32, 300), "default": (100, 1000, 3000), "lecture": (100, 300, 1000, 3000, 10_000)},
    dtypes=("float64", "float32"),
    baseline="numpy_copyto",
    lectures=("icsc23",),
    check_sizes=(64, 65, 66, 67, 1000),
)
STEP = 3


def inputs(size, dtype, rng):
    """Return x: (size, size) numbers, independent and uniform in [0, 1)."""
    return {"x": rng.random((size, size), dtype=dtype)}


def outputs(size, dtype):
    return (Output("out", (len(range(0, size, STEP)), size), dtype),)


def reference(x):
    """Return x[::3], shape (ceil(size / 3), size)."""
    return x[::STEP]


def tolerance():
    """Return zero: a copy is exact."""
    return 0


def bytes_moved(size, itemsize):
    copied = len(range(0, size, STEP)) * size * itemsize
    return copied, copied


def footprint_bytes(size, itemsize):
    return (size + len(range(0, size, STEP))) * size * itemsize


def flops():
    return 0
