/* One work-item per pixel: mask[y * width + x] is 1 if (x, y) is inside by the rule in kernel.py, else 0. Groups at the
   edges may have work-items without a pixel. */

kernel void inside_polygon_int32(global const int2 *polygon, long vertices, global uchar *mask, long height, long width)
{
    /* Which pixel does this work-item compute, if any? The polygon's corner i is (polygon[i].x, polygon[i].y). */
}
