"""Find the pixels of an image that are inside a polygon, by the even-odd rule: mask is 1 inside and 0 outside.

The image has `size` rows and `width` columns; width=0 means a square image. `mask[y, x]` belongs to the point (x, y).
The polygon is a closed ring of vertices with integer coordinates, which may be negative. No two points, pixels
included, may differ by more than 32768 in x or y. The part of the polygon outside the image is ignored. The vertices
are drawn at random, 0 <= x <= width and 0 <= y <= size, so the polygon crosses itself.

If every comparison is exact, a pixel (x, y) is inside if and only if

    it is a vertex, or
    it has an odd number of edges (xa, ya)-(xb, yb) to its right, where an edge counts if
        min(ya, yb) < y <= max(ya, yb)   and   x <= X,   X = xa + (y - ya) (xb - xa) / (yb - ya)

This is the lecture's rule (border_value=True), but the lecture's code has rounding errors. For ya < yb, the condition
x <= X is equivalent to (x - xa) (yb - ya) <= (y - ya) (xb - xa). Integer code can test this without a division. As no
difference exceeds 32768, every product fits 32 bits. In each row, an edge counts for the columns up to floor(X), and an
even number of edges crosses the row.

The rule also decides about pixels on the border. All vertices are inside. Any other pixel on an edge belongs to the
area on the left of the edge or, on a horizontal edge, to the area above it (towards smaller y). So if two polygons
share an edge, only its vertices belong to both. Horizontal edges and repeated vertices never count as crossings. In a
ring of two distinct vertices, the edge between them occurs an even number of times. So a ring of fewer than three
distinct vertices contains only its vertices. Without vertices, the mask is 0 everywhere.

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
    """Return (rows, columns) of the mask. Raise ValueError if a side is no integer or exceeds LARGEST_SIDE."""
    if width != int(width) or not 0 <= width <= LARGEST_SIDE or size > LARGEST_SIDE:
        raise ValueError(f"an image of size={size}, width={width}: sides are whole numbers up to {LARGEST_SIDE} pixels")
    return size, int(width) or size


def inputs(size, dtype, rng, vertices, width):
    """Return {"polygon": the vertices as rows (x, y) of an array of shape (vertices, 2)}.

    Coordinates may lie on either border of the image, 0 and `width` or 0 and `size`, as in the lecture.
    """
    if vertices != int(vertices) or vertices < 0:
        raise ValueError(f"a polygon of vertices={vertices}: give a whole number >= 0")
    rows, columns = image_shape(size, width)
    return {"polygon": rng.integers(0, (columns, rows), (int(vertices), 2), dtype=dtype, endpoint=True)}


def outputs(size, width):
    return (Output("mask", image_shape(size, width), "uint8"),)


def reference(polygon, size, width):
    """Return the mask, computed exactly in rational numbers. In each row, an edge flips all pixels to its left."""
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
    """Return zero, since the mask has an exact value for every pixel."""
    return 0


def bytes_moved(size, itemsize, vertices, width):
    rows, columns = image_shape(size, width)
    return 2 * vertices * itemsize, rows * columns


def flops():
    """Return zero: all operations are on integers, and the number of operations depends on the algorithm."""
    return 0
