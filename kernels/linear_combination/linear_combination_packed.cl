/* z = a * x + b * y, one work-item per 16 bytes of each vector: single floats keep too little memory traffic in flight
   to saturate a GPU's memory. Buffers begin at multiples of 16 bytes. */

#define DEFINE_LINEAR_COMBINATION(type, dtype, width)                                                            \
    kernel void linear_combination_##dtype(long n, type a, global const type *restrict x, type b,                \
                                           global const type *restrict y, global type *restrict z)               \
    {                                                                                                            \
        const long vector = get_global_id(0), first = vector * width;                                            \
        if (first + width <= n) {                                                                                \
            const type##width xs = ((global const type##width *)x)[vector];                                      \
            const type##width ys = ((global const type##width *)y)[vector];                                      \
            ((global type##width *)z)[vector] = a * xs + b * ys;                                                 \
        } else                                                                                                   \
            for (long i = first; i < n; i++)                                                                     \
                z[i] = a * x[i] + b * y[i];                                                                      \
    }

DEFINE_LINEAR_COMBINATION(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_LINEAR_COMBINATION(double, float64, 2)
#endif
