/* out = a b for matrices of n rows, one work-item per element of the product, without local memory. */

#define DEFINE_MATMUL(real, dtype)                                                                   \
    kernel void matmul_##dtype(long n, global const real *a, global const real *b, global real *out) \
    {                                                                                                \
        const long column = get_global_id(0), row = get_global_id(1);                                \
        if (row >= n || column >= n)                                                                 \
            return;                                                                                  \
        real sum = 0;                                                                                \
        for (long k = 0; k < n; k++)                                                                 \
            sum += a[row * n + k] * b[k * n + column];                                               \
        out[row * n + column] = sum;                                                                 \
    }

DEFINE_MATMUL(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_MATMUL(double, float64)
#endif
