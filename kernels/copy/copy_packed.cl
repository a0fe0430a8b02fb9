/* out = x, one work-item per 16 bytes of each vector: one float per work-item does not saturate a GPU's memory
   bandwidth. Buffers are aligned to 16 bytes. */

#define DEFINE_COPY(type, dtype, width)                                                                          \
    kernel void copy_##dtype(long n, global const type *restrict x, global type *restrict out)                   \
    {                                                                                                            \
        const long vector = get_global_id(0), first = vector * width;                                            \
        if (first + width <= n)                                                                                  \
            ((global type##width *)out)[vector] = ((global const type##width *)x)[vector];                       \
        else                                                                                                     \
            for (long i = first; i < n; i++)                                                                     \
                out[i] = x[i];                                                                                   \
    }

DEFINE_COPY(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_COPY(double, float64, 2)
#endif
