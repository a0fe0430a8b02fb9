/* out = (x - y)^2, x of whole numbers, one work-item per 16 bytes of y and of the result, and the elements of x for
   them. Buffers begin at multiples of 16 bytes. */

#define DEFINE_SQUARED_DIFFERENCE_MIXED(type, dtype, width)                                                      \
    kernel void squared_difference_mixed_##dtype(long n, global const short *restrict x,                         \
                                                 global const type *restrict y, global type *restrict out)       \
    {                                                                                                            \
        const long vector = get_global_id(0), first = vector * width;                                            \
        if (first + width <= n) {                                                                                \
            const type##width difference = convert_##type##width(((global const short##width *)x)[vector]) -     \
                                           ((global const type##width *)y)[vector];                              \
            ((global type##width *)out)[vector] = difference * difference;                                       \
        } else                                                                                                   \
            for (long i = first; i < n; i++)                                                                     \
                out[i] = (x[i] - y[i]) * (x[i] - y[i]);                                                          \
    }

DEFINE_SQUARED_DIFFERENCE_MIXED(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SQUARED_DIFFERENCE_MIXED(double, float64, 2)
#endif
