"""Triton kernel: each program compares a block of pixels with one edge after the other."""

import triton
import triton.language as tl

ALGORITHM = "pixel by pixel"
PARAMETERS = ("block_size",)


@triton.jit
def inside_polygon(polygon, vertices, mask, height, width, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    x = (tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    y = (tl.program_id(1) * ROWS + tl.arange(0, ROWS))[:, None]
    inside, corner = tl.zeros((ROWS, COLUMNS), tl.int1), tl.zeros((ROWS, COLUMNS), tl.int1)
    for i in range(vertices):
        start, end = polygon + 2 * i, polygon + 2 * ((i + 1) % vertices)
        xa, ya, xb, yb = tl.load(start), tl.load(start + 1), tl.load(end), tl.load(end + 1)
        across, along = (x - xa) * (yb - ya), (y - ya) * (xb - xa)
        inside ^= ((ya < y) != (yb < y)) & tl.where(ya < yb, across <= along, across >= along)
        corner |= (x == xa) & (y == ya)
    tl.store(mask + y * width + x, inside | corner, (x < width) & (y < height))


def prepare(case):
    height, width = case.size, int(case.options["width"]) or case.size
    grid, (columns, rows) = case.blocks(n=(width, height)), case.block_size

    def run(polygon, mask):
        inside_polygon[grid](polygon, len(polygon), mask, height, width, ROWS=rows, COLUMNS=columns)

    return run
