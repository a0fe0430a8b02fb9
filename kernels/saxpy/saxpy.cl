/* out = a * x + y, one work-item per element. */

#define DEFINE_SAXPY(real, dtype)                                                                           \
    kernel void saxpy_##dtype(long n, real a, global const real *x, global const real *y, global real *out) \
    {                                                                                                       \
        const long i = get_global_id(0);                                                                    \
        if (i < n)                                                                                          \
            out[i] = a * x[i] + y[i];                                                                       \
    }

DEFINE_SAXPY(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SAXPY(double, float64)
#endif
