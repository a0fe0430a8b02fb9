"""Warp kernel: one thread per row flips the pixels between crossings. On a CPU, one thread computes all rows."""

import warp as wp


@wp.kernel
def fill_row(polygon: wp.array2d(dtype=wp.int32), mask: wp.array2d(dtype=wp.uint8)):
    y = wp.tid()
    width, waiting, before = mask.shape[1], wp.int32(-1), polygon.shape[0] - 1
    for x in range(width):
        mask[y, x] = wp.uint8(0)
    # idea: row by row: each pair of crossings flips the pixels between them
    for i in range(polygon.shape[0]):
        xa, ya = polygon[before, 0], polygon[before, 1]
        xb, yb = polygon[i, 0], polygon[i, 1]
        if (ya < y) != (yb < y):
            x_left, y_left = wp.min(xa, xb), wp.where(xa < xb, ya, yb)
            column = x_left + wp.abs(y - y_left) * wp.abs(xb - xa) / wp.abs(yb - ya) + 1
            column = wp.clamp(column, 0, width)
            if waiting < 0:
                waiting = column
            else:
                for x in range(wp.min(waiting, column), wp.max(waiting, column)):
                    mask[y, x] = wp.uint8(1) - mask[y, x]
                waiting = wp.int32(-1)
        before = i
    # end of idea


@wp.kernel
def set_corners(polygon: wp.array2d(dtype=wp.int32), mask: wp.array2d(dtype=wp.uint8)):
    i = wp.tid()
    x, y = polygon[i, 0], polygon[i, 1]
    if x >= 0 and x < mask.shape[1] and y >= 0 and y < mask.shape[0]:
        mask[y, x] = wp.uint8(1)


def run(polygon, mask):
    wp.launch(fill_row, mask.shape[0], inputs=[polygon], outputs=[mask])
    wp.launch(set_corners, polygon.shape[0], inputs=[polygon], outputs=[mask])
