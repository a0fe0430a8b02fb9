"""Pixels of an image inside a polygon, by the even-odd rule: a mask of 0 and 1.

The image has `size` rows and `width` columns (0: as many as rows); `mask[y, x]` belongs to the point (x, y). The
polygon is a closed ring of vertices with integer coordinates from 0 to 32768. Coordinates may be negative if no two
points, pixels included, are more than 32768 apart; the part of the polygon beyond the image is cut off. The vertices
are drawn at random, 0 <= x <= width and 0 <= y <= size, so that the polygon crosses itself.

With every comparison exact, a pixel (x, y) is inside if and only if

    it is a vertex, or
    it has an odd number of edges (xa, ya)-(xb, yb) to its right, where an edge counts if
        min(ya, yb) < y <= max(ya, yb)   and   x <= X,   X = xa + (y - ya) (xb - xa) / (yb - ya)

This is the lecture's rule (border_value=True) without its rounding errors. For ya < yb, `x <= X` is equivalent to `(x -
xa) (yb - ya) <= (y - ya) (xb - xa)`. In integers this needs no division, and every product fits 32 bits with
coordinates up to 32768. In each row, an edge counts for the columns up to floor(X), and an even number of edges crosses
the row.

On the border, the rule has these consequences. All vertices are inside. Any other pixel on an edge belongs to the area
on the left of the edge or, on a horizontal edge, to the area above it (towards smaller y). So two polygons that share
an edge share none of the edge's pixels but the vertices. Horizontal edges and repeated vertices never count as
crossings, so a ring of fewer than three distinct vertices contains only its vertices. A polygon without vertices gives
an empty mask.

Source: J. Kieffer, High Performance Computing with Python, ESRF; the crossing test is that of Shimrat, Algorithm 112,
Communications of the ACM 5 (1962) 434.
"""

from fractions import Fraction
from math import floor

import numpy as np

from accelbench.kernel import Kernel, Output

KERNEL = Kernel(
    title="Pixels inside a polygon",
    size="rows of the image",
    sizes={"smoke": (64,), "default": (128, 256, 1024), "lecture": (256, 1024, 4096)},
    dtypes=("int32",),
    baseline="numpy_scanline",
    baselines=("numpy_vectorised",),
    lectures=("esrf",),
    options={"vertices": 24, "width": 0},
    check_sizes=(97, 256),
    block_dimensions=2,
    algorithms={
        "scan line": "row by row: the crossings of the row, then runs of pixels between crossings",
        "pixel by pixel": "each pixel counts the edges to its right",
        "edge by edge": "each edge flips all pixels to its left",
        "runs of pixels": "each thread flips 16 pixels of a row at once, as bits of a number",
    },
)
LARGEST_SIDE = 32768


def image_shape(size, width):
    """Return (rows, columns) of the mask; raise ValueError for sides that are no integers or exceed LARGEST_SIDE."""
    if width != int(width) or not 0 <= width <= LARGEST_SIDE or size > LARGEST_SIDE:
        raise ValueError(f"an image of size={size}, width={width}: sides are whole numbers up to {LARGEST_SIDE} pixels")
    return size, int(width) or size


def inputs(size, dtype, rng, vertices, width):
    """Return polygon: (vertices, 2) array of x, y.

    The range of coordinates includes both borders of the image, as in the lecture.
    """
    if vertices != int(vertices) or vertices < 0:
        raise ValueError(f"a polygon of vertices={vertices}: give a whole number >= 0")
    rows, columns = image_shape(size, width)
    return {"polygon": rng.integers(0, (columns, rows), (int(vertices), 2), dtype=dtype, endpoint=True)}


def outputs(size, width):
    return (Output("mask", image_shape(size, width), "uint8"),)


def reference(polygon, size, width):
    """Return the mask in rational arithmetic: in every row, each edge flips the columns up to its crossing."""
    mask = np.zeros(image_shape(size, width), "uint8")
    corners = [tuple(corner) for corner in polygon.tolist()]
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        (xa, ya), (xb, yb) = sorted((start, end), key=lambda corner: corner[1])
        for y in range(max(ya + 1, 0), min(yb + 1, size)):
            mask[y, : max(0, floor(xa + Fraction((y - ya) * (xb - xa), yb - ya)) + 1)] ^= 1
    for x, y in corners:
        if x >= 0 and y >= 0:
            mask[y : y + 1, x : x + 1] = 1
    return mask


def tolerance():
    """Return zero: a mask is right or wrong."""
    return 0


def bytes_moved(size, itemsize, vertices, width):
    rows, columns = image_shape(size, width)
    return 2 * vertices * itemsize, rows * columns


def flops():
    """Return zero: all operations are on integers, and their number depends on the algorithm."""
    return 0
