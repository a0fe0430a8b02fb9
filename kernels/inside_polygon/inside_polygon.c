/* Compute the mask of the pixels inside a polygon: pixel by pixel as in the lecture, or row by row. */
#include <stdint.h>
#include <string.h>
#include "inside_polygon.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

// idea: count the edges to the right; an odd number means inside
uint8_t inside_polygon_pixel_int32(const int32_t *polygon, int64_t vertices, int32_t x, int32_t y)
{
    int crossings = 0;
    for (int64_t i = 0; i < vertices; i++) {
        int64_t next = (i + 1) % vertices;
        int32_t xa = polygon[2 * i], ya = polygon[2 * i + 1];
        int32_t xb = polygon[2 * next], yb = polygon[2 * next + 1];
        if (x == xa && y == ya)
            return 1;
        if (y > MIN(ya, yb) && y <= MAX(ya, yb) && x <= MAX(xa, xb)) {
            int32_t across = (x - xa) * (yb - ya), along = (y - ya) * (xb - xa);
            if (ya < yb ? across <= along : across >= along)
                crossings++;
        }
    }
    return crossings % 2;
}
// end of idea

void inside_polygon_int32(const int32_t *polygon, int64_t vertices, uint8_t *mask, int64_t height, int64_t width)
{
    #pragma omp parallel for
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++)
            mask[y * width + x] = inside_polygon_pixel_int32(polygon, vertices, x, y);
}

/* Return the first column to the right of the point where the edge crosses row y. The edge counts for the columns
   before this one. The code measures from the edge's left end: no operand is negative, so C's division rounds down. */
static inline int64_t column_after(int32_t xa, int32_t ya, int32_t xb, int32_t yb, int32_t y)
{
    int32_t x_left = MIN(xa, xb), y_left = xa < xb ? ya : yb;
    int32_t rows = y < y_left ? y_left - y : y - y_left;
    int32_t rise = ya < yb ? yb - ya : ya - yb;
    return x_left + rows * (MAX(xa, xb) - x_left) / rise + 1;
}

/* A crossing flips all pixels before it, so two crossings together flip only the pixels between them. Every row has an
   even number of crossings. Crossings can be paired in any order, so the code does not sort them. */
// idea: row by row: each pair of crossings flips the pixels between them
static void fill_row(const int32_t *polygon, int64_t vertices, uint8_t *restrict row, int64_t width, int32_t y)
{
    int64_t waiting = -1;
    memset(row, 0, width);
    for (int64_t i = 0; i < vertices; i++) {
        const int32_t *a = polygon + 2 * i, *b = i + 1 < vertices ? a + 2 : polygon;
        if ((a[1] < y) == (b[1] < y))
            continue;
        int64_t column = MIN(MAX(column_after(a[0], a[1], b[0], b[1], y), 0), width);
        if (waiting < 0) {
            waiting = column;
        } else {
            int64_t end = MAX(waiting, column);
            for (int64_t x = MIN(waiting, column); x < end; x++)
                row[x] ^= 1;
            waiting = -1;
        }
    }
}
// end of idea

void inside_polygon_scanline_int32(
    const int32_t *polygon, int64_t vertices, uint8_t *mask, int64_t height, int64_t width)
{
    #pragma omp parallel for
    for (int64_t y = 0; y < height; y++)
        fill_row(polygon, vertices, mask + y * width, width, y);
    for (int64_t i = 0; i < vertices; i++) {
        int64_t x = polygon[2 * i], y = polygon[2 * i + 1];
        if (x >= 0 && x < width && y >= 0 && y < height)
            mask[y * width + x] = 1;
    }
}
