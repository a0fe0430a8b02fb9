"""CuPy ElementwiseKernel that works out its row and column from one index."""

import cupy as cp

PARAMETERS = ("block_size",)

stencil = cp.ElementwiseKernel(
    "raw T x, int64 rows",
    "T out",
    """
    const long long row = i / rows, column = i % rows;
    const bool inner = row > 0 && row < rows - 1 && column > 0 && column < rows - 1;
    out = inner ? (x[i] + x[i - rows] + x[i + rows] + x[i - 1] + x[i + 1]) * (T)0.2 : x[i]
    """,
    "stencil",
)


def run(x, out, *, block_size):
    stencil(x, len(x), out, block_size=block_size[0] * block_size[1])
