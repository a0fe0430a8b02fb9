/* out = x * y, one work-item per element. */

#define DEFINE_VECTOR_MULTIPLY(real, dtype)                                                                   \
    kernel void vector_multiply_##dtype(long n, global const real *x, global const real *y, global real *out) \
    {                                                                                                         \
        const long i = get_global_id(0);                                                                      \
        if (i < n)                                                                                            \
            out[i] = x[i] * y[i];                                                                             \
    }

DEFINE_VECTOR_MULTIPLY(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_VECTOR_MULTIPLY(double, float64)
#endif
