/* Compute out = log(1 + exp(x)) without overflow or loss of digits, one work-item per 16 bytes of each vector. Buffers
   are aligned to 16 bytes. */

#define SOFTPLUS(type, x) (fmax(x, (type)0) + log1p(exp(-fabs(x))))

#define DEFINE_SOFTPLUS(type, dtype, width)                                                                      \
    kernel void softplus_##dtype(long n, global const type *restrict x, global type *restrict out)               \
    {                                                                                                            \
        const long vector = get_global_id(0), first = vector * width;                                            \
        if (first + width <= n) {                                                                                \
            const type##width xs = ((global const type##width *)x)[vector];                                      \
            ((global type##width *)out)[vector] = SOFTPLUS(type, xs);                                            \
        } else                                                                                                   \
            for (long i = first; i < n; i++)                                                                     \
                out[i] = SOFTPLUS(type, x[i]);                                                                   \
    }

DEFINE_SOFTPLUS(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SOFTPLUS(double, float64, 2)
#endif
