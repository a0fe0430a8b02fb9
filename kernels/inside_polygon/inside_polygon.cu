/* One thread per pixel sets the pixel to 1 if it is a vertex or if the number of edges to its right is odd. */

extern "C" __global__ void inside_polygon_int32(const int2 *polygon, long long vertices, unsigned char *mask,
                                                long long height, long long width)
{
    const int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
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
}
