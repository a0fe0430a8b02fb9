/* Mean of each point of a grid of n rows and its four neighbours, one work-item per point; the border keeps its values.
   */

#define DEFINE_STENCIL(real, dtype)                                                         \
    kernel void stencil_##dtype(long n, global const real *x, global real *out)             \
    {                                                                                       \
        const long column = get_global_id(0), row = get_global_id(1), i = row * n + column; \
        if (row >= n || column >= n)                                                        \
            return;                                                                         \
        if (row == 0 || row == n - 1 || column == 0 || column == n - 1)                     \
            out[i] = x[i];                                                                  \
        else                                                                                \
            out[i] = (x[i] + x[i - n] + x[i + n] + x[i - 1] + x[i + 1]) * (real)0.2;        \
    }

DEFINE_STENCIL(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_STENCIL(double, float64)
#endif
