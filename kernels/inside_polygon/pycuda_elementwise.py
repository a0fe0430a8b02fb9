"""PyCUDA ElementwiseKernel over the pixels; the library chooses blocks and grid."""

from pycuda.elementwise import ElementwiseKernel

ALGORITHM = "pixel by pixel"

OPERATION = """
const int x = i % width, y = i / width;
int corner = 0, inside = 0;
for (long k = 0; k < vertices; k++) {
    const long next = k + 1 < vertices ? k + 1 : 0;
    const int xa = polygon[2 * k], ya = polygon[2 * k + 1], xb = polygon[2 * next], yb = polygon[2 * next + 1];
    corner |= x == xa && y == ya;
    if ((ya < y) != (yb < y)) {
        const int across = (x - xa) * (yb - ya), along = (y - ya) * (xb - xa);
        inside ^= ya < yb ? across <= along : across >= along;
    }
}
mask[i] = corner | inside
"""


def prepare(case):
    inside_polygon = ElementwiseKernel(
        "unsigned char *mask, long width, const int *polygon, long vertices", OPERATION, "inside_polygon"
    )
    return lambda polygon, mask: inside_polygon(mask, mask.shape[1], polygon, len(polygon), stream=case.stream)
