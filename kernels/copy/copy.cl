/* out = x, one work-item per element. */

#define DEFINE_COPY(real, dtype)                                             \
    kernel void copy_##dtype(long n, global const real *x, global real *out) \
    {                                                                        \
        const long i = get_global_id(0);                                     \
        if (i < n)                                                           \
            out[i] = x[i];                                                   \
    }

DEFINE_COPY(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_COPY(double, float64)
#endif
