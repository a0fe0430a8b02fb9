/* Transposition of a matrix of n rows, one work-item per element: it reads along rows and writes along columns. */

#define DEFINE_TRANSPOSE(real, dtype)                                             \
    kernel void transpose_##dtype(long n, global const real *x, global real *out) \
    {                                                                             \
        const long j = get_global_id(0), i = get_global_id(1);                    \
        if (i < n && j < n)                                                       \
            out[j * n + i] = x[i * n + j];                                        \
    }

DEFINE_TRANSPOSE(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_TRANSPOSE(double, float64)
#endif
