"""CuPy ElementwiseKernel, one thread per pixel."""

import cupy as cp

ALGORITHM = "pixel by pixel"

inside_polygon = cp.ElementwiseKernel(
    "raw int32 polygon, int64 vertices, int64 width",
    "uint8 mask",
    """
    const int x = i % width, y = i / width;
    int corner = 0, inside = 0;
    for (long long k = 0; k < vertices; k++) {
        const long long next = k + 1 < vertices ? k + 1 : 0;
        const int xa = polygon[2 * k], ya = polygon[2 * k + 1], xb = polygon[2 * next], yb = polygon[2 * next + 1];
        corner |= x == xa && y == ya;
        if ((ya < y) != (yb < y)) {
            const int across = (x - xa) * (yb - ya), along = (y - ya) * (xb - xa);
            inside ^= ya < yb ? across <= along : across >= along;
        }
    }
    mask = corner | inside;
    """,
    "inside_polygon",
)


def run(polygon, mask):
    inside_polygon(polygon, len(polygon), mask.shape[1], mask)
