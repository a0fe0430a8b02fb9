/* out = 1, one work-item per element. */

#define DEFINE_FILL(real, dtype)                       \
    kernel void fill_##dtype(long n, global real *out) \
    {                                                  \
        const long i = get_global_id(0);               \
        if (i < n)                                     \
            out[i] = 1;                                \
    }

DEFINE_FILL(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_FILL(double, float64)
#endif
