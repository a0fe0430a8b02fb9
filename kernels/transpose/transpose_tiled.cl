/* Transposition of a matrix of n rows. A work-group of bx x by brings a tile of bx x bx numbers into local memory along
   the rows of x, and takes it from there along the rows of out, the tile's columns. Rows of the tile are `width` long:
   bx, or padded so that the numbers of a column lie in different banks. */

#define DEFINE_TRANSPOSE(real, dtype)                                                                     \
    kernel void transpose_tiled_##dtype(long n, global const real *restrict x, global real *restrict out, \
                                        int width, local real *tile)                                      \
    {                                                                                                     \
        const int me_x = get_local_id(0), me_y = get_local_id(1), by = get_local_size(1);                 \
        const int side = get_local_size(0);                                                               \
        const long left = get_group_id(0) * side, top = get_group_id(1) * side;                           \
        for (int v = me_y; v < side; v += by)                                                             \
            if (top + v < n && left + me_x < n)                                                           \
                tile[v * width + me_x] = x[(top + v) * n + left + me_x];                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
        for (int v = me_y; v < side; v += by)                                                             \
            if (left + v < n && top + me_x < n)                                                           \
                out[(left + v) * n + top + me_x] = tile[me_x * width + v];                                \
    }

DEFINE_TRANSPOSE(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_TRANSPOSE(double, float64)
#endif
