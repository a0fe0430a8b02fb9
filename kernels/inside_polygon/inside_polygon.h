/* Compute mask[height][width] of the pixels inside the polygon x0, y0, x1, y1, ..., by the boundary rule of kernel.py.
   No two points, pixels included, differ by more than 32768 in x or y. */
uint8_t inside_polygon_pixel_int32(const int32_t *polygon, int64_t vertices, int32_t x, int32_t y);
void inside_polygon_int32(const int32_t *polygon, int64_t vertices, uint8_t *mask, int64_t height, int64_t width);
void inside_polygon_scanline_int32(
    const int32_t *polygon, int64_t vertices, uint8_t *mask, int64_t height, int64_t width);
