/* out = log(1 + exp(x)) without overflow or loss of digits, one work-item per element. */

#define DEFINE_SOFTPLUS(real, dtype)                                             \
    kernel void softplus_##dtype(long n, global const real *x, global real *out) \
    {                                                                            \
        const long i = get_global_id(0);                                         \
        if (i < n)                                                               \
            out[i] = (x[i] > 0 ? x[i] : 0) + log1p(exp(-fabs(x[i])));            \
    }

DEFINE_SOFTPLUS(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SOFTPLUS(double, float64)
#endif
