/* Mean of each point of a grid of n rows and its four neighbours; the border keeps its values. A work-item makes a
   point. A work-group brings its points and a rim of their neighbours, (bx + 2) (by + 2) numbers, into local memory;
   what lies beyond the grid is left out, and not read. */

#define DEFINE_STENCIL(type, dtype)                                                                     \
    kernel void stencil_tiled_##dtype(long n, global const type *restrict x, global type *restrict out, \
                                      local type *tile)                                                 \
    {                                                                                                   \
        const int bx = get_local_size(0), by = get_local_size(1), width = bx + 2;                       \
        const int me_x = get_local_id(0), me_y = get_local_id(1);                                       \
        const long column = get_global_id(0), row = get_global_id(1), left = column - me_x - 1,         \
                   top = row - me_y - 1;                                                                \
        for (int v = me_y; v < by + 2; v += by)                                                         \
            for (int u = me_x; u < width; u += bx)                                                      \
                if (top + v >= 0 && top + v < n && left + u >= 0 && left + u < n)                       \
                    tile[v * width + u] = x[(top + v) * n + left + u];                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
        if (row >= n || column >= n)                                                                    \
            return;                                                                                     \
        local const type *const centre = tile + (me_y + 1) * width + me_x + 1;                          \
        if (row == 0 || row == n - 1 || column == 0 || column == n - 1)                                 \
            out[row * n + column] = centre[0];                                                          \
        else                                                                                            \
            out[row * n + column] =                                                                     \
                (centre[0] + centre[-width] + centre[width] + centre[-1] + centre[1]) * (type)0.2;      \
    }

DEFINE_STENCIL(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_STENCIL(double, float64)
#endif
