"""Numba CUDA kernel, one thread per pixel."""

from numba import cuda, int32

ALGORITHM = "pixel by pixel"
PARAMETERS = ("block_size",)


@cuda.jit
def inside_polygon(polygon, mask):
    x, y = cuda.grid(2)
    height, width = mask.shape
    if x < width and y < height:
        x, y = int32(x), int32(y)
        corner = inside = False
        for i in range(polygon.shape[0]):
            xa, ya, xb, yb = polygon[i - 1, 0], polygon[i - 1, 1], polygon[i, 0], polygon[i, 1]
            corner |= x == xb and y == yb
            if (ya < y) != (yb < y):
                across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
                inside ^= across <= along if ya < yb else across >= along
        mask[y, x] = corner | inside


def prepare(case):
    height, width = case.size, int(case.options["width"]) or case.size
    return inside_polygon[case.blocks(n=(width, height)), case.block_size, case.stream]
