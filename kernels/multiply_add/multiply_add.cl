/* out = x1 * x2 + b, one work-item per element. */

#define DEFINE_MULTIPLY_ADD(real, dtype)                                                           \
    kernel void multiply_add_##dtype(long n, global const real *x1, global const real *x2, real b, \
                                     global real *out)                                             \
    {                                                                                              \
        const long i = get_global_id(0);                                                           \
        if (i < n)                                                                                 \
            out[i] = x1[i] * x2[i] + b;                                                            \
    }

DEFINE_MULTIPLY_ADD(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_MULTIPLY_ADD(double, float64)
#endif
