/* out = x1 * x2 + b, one work-item per 16 bytes of each vector: single floats keep too little memory traffic in flight
   to saturate a GPU's memory. Buffers begin at multiples of 16 bytes. */

#define DEFINE_MULTIPLY_ADD(type, dtype, width)                                                                  \
    kernel void multiply_add_##dtype(long n, global const type *restrict x1,                                     \
                                     global const type *restrict x2, type b, global type *restrict out)          \
    {                                                                                                            \
        const long vector = get_global_id(0), first = vector * width;                                            \
        if (first + width <= n) {                                                                                \
            const type##width x1s = ((global const type##width *)x1)[vector];                                    \
            const type##width x2s = ((global const type##width *)x2)[vector];                                    \
            ((global type##width *)out)[vector] = x1s * x2s + b;                                                 \
        } else                                                                                                   \
            for (long i = first; i < n; i++)                                                                     \
                out[i] = x1[i] * x2[i] + b;                                                                      \
    }

DEFINE_MULTIPLY_ADD(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_MULTIPLY_ADD(double, float64, 2)
#endif
