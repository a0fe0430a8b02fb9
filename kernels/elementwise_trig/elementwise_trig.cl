/* out = sin(x)^2 + cos(x)^2, one work-item per element. */

#define DEFINE_ELEMENTWISE_TRIG(real, dtype)                                             \
    kernel void elementwise_trig_##dtype(long n, global const real *x, global real *out) \
    {                                                                                    \
        const long i = get_global_id(0);                                                 \
        if (i < n)                                                                       \
            out[i] = sin(x[i]) * sin(x[i]) + cos(x[i]) * cos(x[i]);                      \
    }

DEFINE_ELEMENTWISE_TRIG(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_ELEMENTWISE_TRIG(double, float64)
#endif
