/* One work-item a pixel, x the fast axis. */
__kernel void inside_polygon_int32(
    __global const int *polygon, long vertices, __global uchar *mask, long height, long width)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    int vertex = 0, crossings = 0;
    for (long i = 0; i < vertices; i++) {
        int2 a = vload2(i, polygon), b = vload2(i + 1 < vertices ? i + 1 : 0, polygon);
        vertex |= x == a.x && y == a.y;
        if ((a.y < y) != (b.y < y)) {
            int across = (x - a.x) * (b.y - a.y), along = (y - a.y) * (b.x - a.x);
            crossings ^= a.y < b.y ? across <= along : across >= along;
        }
    }
    mask[y * width + x] = vertex | crossings;
}
