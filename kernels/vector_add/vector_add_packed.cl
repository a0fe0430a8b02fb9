/* out = x + y, one work-item per 16 bytes of each vector, because one float per work-item does not saturate a GPU's
   memory bandwidth. Buffers are aligned to 16 bytes. */

#define DEFINE_VECTOR_ADD(type, dtype, width)                                                                    \
    kernel void vector_add_##dtype(long n, global const type *restrict x, global const type *restrict y,         \
                                   global type *restrict out)                                                    \
    {                                                                                                            \
        const long vector = get_global_id(0), first = vector * width;                                            \
        if (first + width <= n) {                                                                                \
            const type##width xs = ((global const type##width *)x)[vector];                                      \
            const type##width ys = ((global const type##width *)y)[vector];                                      \
            ((global type##width *)out)[vector] = xs + ys;                                                       \
        } else                                                                                                   \
            for (long i = first; i < n; i++)                                                                     \
                out[i] = x[i] + y[i];                                                                            \
    }

DEFINE_VECTOR_ADD(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_VECTOR_ADD(double, float64, 2)
#endif
