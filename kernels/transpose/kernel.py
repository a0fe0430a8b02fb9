"""Transposition of a square matrix: out[j, i] = x[i, j].

Each number is read and written once, without any computation, as in a copy. But rows are read while columns are
written, so one of the two accesses is strided. On a processor, a strided access loads a cache line of eight or sixteen
numbers. Tiles ensure that all these numbers are used before the line is evicted. On a GPU, neighbouring threads should
read and write neighbouring numbers. So a block stores a tile in shared memory by rows and reads it by columns. If the
tile's rows are a multiple of 32 words long, all numbers of a column are in one memory bank. Accesses to this bank are
serialised. Padding the rows by one number avoids these bank conflicts.

If rows have 1024 or 4096 numbers, all numbers of a column map to the same set of a cache and evict each other. So these
sizes are measured in addition to 1000 and 3000.

There is no numexpr implementation, because numexpr has no indices. It could only copy NumPy's transposed view, as NumPy
does.
"""

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Matrix transposition",
    size="rows of the square matrix",
    sizes={"smoke": (64,), "default": (100, 1000, 1024), "lecture": (30, 100, 300, 1000, 1024, 3000, 4096)},
    sizes_gpu=(10_000,),
    dtypes=("float64", "float32"),
    baseline="numpy_blocked",
    baselines=("numpy_copyto",),
    check_sizes=(64, 130, 257),
    block_dimensions=2,
    algorithms={
        "tiles": "tile by tile, so that all numbers of a cache line are used before its eviction",
        "row by row": "rows are read and columns written, or the other way round",
    },
)


def inputs(size, dtype, rng):
    """Return x: (size, size) numbers, independent and uniform in [0, 1)."""
    return {"x": rng.random((size, size), dtype=dtype)}


def outputs(size, dtype):
    return (Output("out", (size, size), dtype),)


def reference(x):
    return x.T.copy()


def tolerance():
    """Return zero, because a copy must be exact."""
    return 0


def bytes_moved(size, itemsize):
    return size**2 * itemsize, size**2 * itemsize


def flops():
    return 0
