"""Transposition of a square matrix: out[j, i] = x[i, j].

A number is read and one written, and nothing is computed: as in a copy, but rows are read where columns are written.
The elements of one of the two lie far apart in memory. On a processor, a cache line of that side holds eight or sixteen
numbers, which are all used only if they are needed before the line is evicted: tiles see to that. On a GPU,
neighbouring threads should read and write neighbouring numbers: a tile in shared memory is read along its rows and
written along its columns. There, the numbers of a column share a bank if the tile's rows are a multiple of 32 words
long, and accesses to them wait for each other; with rows padded by one number they do not.

Rows of 1024 or 4096 numbers lie at the same place of a cache, so that a column evicts itself: they are measured beside
1000 and 3000.

Not here: numexpr, which computes with values and has no indices. It could copy NumPy's transposed view, as NumPy does.
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
        "tiles": "tile by tile, so that what a cache line or shared memory holds is used at once",
        "row by row": "rows are read along and columns written, or the other way round",
    },
)


def inputs(size, dtype, rng):
    """x: (size, size) numbers, independent and uniform in [0, 1)."""
    return {"x": rng.random((size, size), dtype=dtype)}


def outputs(size, dtype):
    return (Output("out", (size, size), dtype),)


def reference(x):
    return x.T.copy()


def tolerance():
    """None: numbers are copied."""
    return 0


def bytes_moved(size, itemsize):
    return size**2 * itemsize, size**2 * itemsize


def flops():
    return 0
