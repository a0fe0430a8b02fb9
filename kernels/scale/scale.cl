/* y = factor * x, one work-item per element. */

#define DEFINE_SCALE(real, dtype)                                                        \
    kernel void scale_##dtype(long n, real factor, global const real *x, global real *y) \
    {                                                                                    \
        const long i = get_global_id(0);                                                 \
        if (i < n)                                                                       \
            y[i] = factor * x[i];                                                        \
    }

DEFINE_SCALE(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SCALE(double, float64)
#endif
