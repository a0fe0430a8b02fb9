"""Python compiled by cupyx.jit.rawkernel, one thread per pixel."""

import numpy as np
from cupyx import jit

ALGORITHM = "pixel by pixel"
PARAMETERS = ("block_size",)


@jit.rawkernel()
def inside_polygon(polygon, vertices, mask, height, width):
    x = np.int32(jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x)
    y = np.int32(jit.blockIdx.y * jit.blockDim.y + jit.threadIdx.y)
    if x < width and y < height:
        corner, inside = False, False
        for i in range(vertices):
            after = i + 1 if i + 1 < vertices else 0
            xa, ya, xb, yb = polygon[i, 0], polygon[i, 1], polygon[after, 0], polygon[after, 1]
            corner = corner or (x == xa and y == ya)
            if (ya < y) != (yb < y):
                across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
                inside = inside != (across <= along if ya < yb else across >= along)
        mask[y, x] = corner or inside


def prepare(case):
    height, width = case.size, int(case.options["width"]) or case.size
    grid = case.blocks(n=(width, height))
    return lambda polygon, mask: inside_polygon(grid, case.block_size, (polygon, len(polygon), mask, height, width))
