/* z = a * x + b * y, one work-item per element. */

#define DEFINE_LINEAR_COMBINATION(real, dtype)                                           \
    kernel void linear_combination_##dtype(long n, real a, global const real *x, real b, \
                                           global const real *y, global real *z)         \
    {                                                                                    \
        const long i = get_global_id(0);                                                 \
        if (i < n)                                                                       \
            z[i] = a * x[i] + b * y[i];                                                  \
    }

DEFINE_LINEAR_COMBINATION(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_LINEAR_COMBINATION(double, float64)
#endif
