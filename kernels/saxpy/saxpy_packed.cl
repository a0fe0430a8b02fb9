/* Compute out = a * x + y, one work-item per 16 bytes of each vector, since one float per work-item does not saturate a
   GPU's memory bandwidth. Buffers are aligned to 16 bytes. */

#define DEFINE_SAXPY(type, dtype, width)                                                                         \
    kernel void saxpy_##dtype(long n, type a, global const type *restrict x, global const type *restrict y,      \
                              global type *restrict out)                                                         \
    {                                                                                                            \
        const long vector = get_global_id(0), first = vector * width;                                            \
        if (first + width <= n)                                                                                  \
            ((global type##width *)out)[vector] =                                                                \
                a * ((global const type##width *)x)[vector] + ((global const type##width *)y)[vector];           \
        else                                                                                                     \
            for (long i = first; i < n; i++)                                                                     \
                out[i] = a * x[i] + y[i];                                                                        \
    }

DEFINE_SAXPY(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SAXPY(double, float64, 2)
#endif
