/* Compute y = factor * x, one work-item per 16 bytes of each vector, since one float per work-item does not saturate a
   GPU's memory bandwidth. Buffers are aligned to 16 bytes. */

#define DEFINE_SCALE(type, dtype, width)                                                                         \
    kernel void scale_##dtype(long n, type factor, global const type *restrict x, global type *restrict y)       \
    {                                                                                                            \
        const long vector = get_global_id(0), first = vector * width;                                            \
        if (first + width <= n)                                                                                  \
            ((global type##width *)y)[vector] = factor * ((global const type##width *)x)[vector];                \
        else                                                                                                     \
            for (long i = first; i < n; i++)                                                                     \
                y[i] = factor * x[i];                                                                            \
    }

DEFINE_SCALE(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SCALE(double, float64, 2)
#endif
