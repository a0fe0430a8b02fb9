/* out = (x - y)^2, x of whole numbers, one work-item per element. */

#define DEFINE_SQUARED_DIFFERENCE_MIXED(real, dtype)                                                  \
    kernel void squared_difference_mixed_##dtype(long n, global const short *x, global const real *y, \
                                                 global real *out)                                    \
    {                                                                                                 \
        const long i = get_global_id(0);                                                              \
        if (i < n)                                                                                    \
            out[i] = (x[i] - y[i]) * (x[i] - y[i]);                                                   \
    }

DEFINE_SQUARED_DIFFERENCE_MIXED(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SQUARED_DIFFERENCE_MIXED(double, float64)
#endif
