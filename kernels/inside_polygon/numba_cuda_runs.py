"""Numba CUDA kernel, one thread per 16 pixels of a row, by the method of inside_polygon_runs.cu."""

from numba import cuda, int32, uint32

ALGORITHM = "runs of pixels"
PARAMETERS = ("block_size",)
RUN = 16


@cuda.jit
def inside_polygon(polygon, mask):
    column, y = cuda.grid(2)
    height, width = mask.shape
    x, y = int32(RUN * column), int32(y)
    if x < width and y < height:
        inside = corners = uint32(0)
        for i in range(polygon.shape[0]):
            xa, ya, xb, yb = polygon[i - 1, 0], polygon[i - 1, 1], polygon[i, 0], polygon[i, 1]
            if yb == y and x <= xb < x + RUN:
                corners |= uint32(1) << uint32(xb - x)
            if (ya < y) != (yb < y):
                x_left, y_left = (xa, ya) if xa < xb else (xb, yb)
                # uint32: Numba would otherwise use 64 bits, for which GPUs have no multiply and divide instructions
                rows, rise, columns = uint32(abs(y - y_left)), uint32(abs(yb - ya)), uint32(abs(xb - xa))
                after = x_left + int32(uint32(rows * columns) // rise) + 1
                inside ^= (uint32(1) << uint32(min(max(after - x, 0), RUN))) - uint32(1)
        inside |= corners
        for k in range(min(RUN, width - x)):
            mask[y, x + k] = inside >> k & 1


def prepare(case):
    height, width = case.size, int(case.options["width"]) or case.size
    return inside_polygon[case.blocks((RUN, 1), (width, height)), case.block_size, case.stream]
