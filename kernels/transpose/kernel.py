"""Transposition of a square matrix: out[j, i] = x[i, j].

A number is read and one written, and nothing is computed, as in a copy. But rows are read while columns are written, so
one of the two accesses is strided. On a processor, a strided access loads a cache line of eight or sixteen numbers. All
of them are used only if they are needed before the line is evicted; tiles ensure that. On a GPU, neighbouring threads
should read and write neighbouring numbers: a tile in shared memory is read along its rows and written along its
columns. If the tile's rows are a multiple of 32 words long, the numbers of a column share a bank, and accesses to them
are serialised. Padding the rows by one number avoids these bank conflicts.

If rows have 1024 or 4096 numbers, all numbers of a column map to the same set of a cache and evict each other. These
sizes are measured in addition to 1000 and 3000.

There is no numexpr implementation: numexpr computes with values and has no indices. It could copy NumPy's transposed
view, as NumPy does.
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
    """Return zero: numbers are copied."""
    return 0


def bytes_moved(size, itemsize):
    return size**2 * itemsize, size**2 * itemsize


def flops():
    return 0
