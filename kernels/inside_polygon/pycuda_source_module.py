"""CUDA C in a string, compiled by PyCUDA at run time, one thread per pixel."""

from pycuda.compiler import SourceModule

ALGORITHM = "pixel by pixel"
PARAMETERS = ("block_size",)
SOURCE = """
__global__ void inside_polygon(const int2 *polygon, long long vertices, unsigned char *mask, long long height,
                               long long width)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    // idea: a pixel is inside if the number of edges to its right is odd
    int corner = 0, inside = 0;
    for (long long i = 0; i < vertices; i++) {
        const int2 a = polygon[i], b = polygon[i + 1 < vertices ? i + 1 : 0];
        corner |= x == a.x && y == a.y;
        if ((a.y < y) != (b.y < y)) {
            const int across = (x - a.x) * (b.y - a.y), along = (y - a.y) * (b.x - a.x);
            inside ^= a.y < b.y ? across <= along : across >= along;
        }
    }
    mask[y * width + x] = corner | inside;
    // end of idea
}
"""


def prepare(case):
    kernel = SourceModule(SOURCE).get_function("inside_polygon").prepare("PqPqq")
    height, width = case.size, int(case.options["width"]) or case.size
    grid, block = case.blocks(n=(width, height)), (*case.block_size, 1)

    def run(polygon, mask):
        sizes = len(polygon), mask.gpudata, height, width
        kernel.prepared_async_call(grid, block, case.stream, polygon.gpudata, *sizes)

    return run
