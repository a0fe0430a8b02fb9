"""Warp kernel, one thread per pixel. On a CPU, one thread computes all pixels."""

import warp as wp

ALGORITHM = "pixel by pixel"


@wp.kernel
def inside_polygon(polygon: wp.array2d(dtype=wp.int32), mask: wp.array2d(dtype=wp.uint8)):
    y, x = wp.tid()
    corner, inside = bool(False), bool(False)
    before = polygon.shape[0] - 1
    for i in range(polygon.shape[0]):
        xa, ya = polygon[before, 0], polygon[before, 1]
        xb, yb = polygon[i, 0], polygon[i, 1]
        if x == xb and y == yb:
            corner = True
        if (ya < y) != (yb < y):
            across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
            if (ya < yb and across <= along) or (ya > yb and across >= along):
                inside = not inside
        before = i
    mask[y, x] = wp.uint8(corner or inside)


def run(polygon, mask):
    wp.launch(inside_polygon, mask.shape, inputs=[polygon], outputs=[mask])
