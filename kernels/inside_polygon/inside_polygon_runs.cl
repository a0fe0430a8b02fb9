/* One work-item computes 16 neighbouring pixels of a row, one bit per pixel. An edge that crosses the row flips the
   bits of the pixels to the left of the crossing. This takes one division for all 16 pixels. If rows are aligned to 16
   bytes, one store writes all 16 pixels. */

#define RUN 16

/* Return the first column to the right of the point where the edge crosses row y. The edge counts for the columns
   before this one. The code measures from the edge's left end: no operand is negative, so the division rounds down. */
inline int column_after(int2 a, int2 b, int y)
{
    const int x_left = min(a.x, b.x), y_left = a.x < b.x ? a.y : b.y;
    return x_left + (int)(abs(y - y_left) * abs(b.x - a.x) / abs(b.y - a.y)) + 1;
}

/* Return the lowest 4 bits as 4 bytes of 0 or 1. The multiplication copies bit k to bit 8 k. */
inline uint four_bytes(uint bits)
{
    return (bits & 15) * 0x00204081 & 0x01010101;
}

kernel void inside_polygon_int32(global const int2 *polygon, long vertices, global uchar *mask, long height, long width)
{
    const int x = get_global_id(0) * RUN, y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    uint inside = 0, corners = 0;
    int2 a = vertices ? polygon[vertices - 1] : (int2)0;
    // idea: an edge flips the bits of the pixels to its left
    for (long i = 0; i < vertices; i++) {
        const int2 b = polygon[i];
        if (b.y == y && b.x >= x && b.x < x + RUN)
            corners |= 1u << (b.x - x);
        if ((a.y < y) != (b.y < y))
            inside ^= (1u << clamp(column_after(a, b, y) - x, 0, RUN)) - 1;
        a = b;
    }
    // end of idea
    inside |= corners;
    global uchar *const run = mask + y * width + x;
    if (width % RUN == 0) {
        *(global uint4 *)run =
            (uint4)(four_bytes(inside), four_bytes(inside >> 4), four_bytes(inside >> 8), four_bytes(inside >> 12));
    } else {
        for (int k = 0; k < RUN && x + k < width; k++)
            run[k] = inside >> k & 1;
    }
}
