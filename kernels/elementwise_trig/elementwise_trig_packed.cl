/* out = sin(x)^2 + cos(x)^2, one work-item per 16 bytes of each vector. Buffers are aligned to 16 bytes. */

#define DEFINE_ELEMENTWISE_TRIG(type, dtype, width)                                                              \
    kernel void elementwise_trig_##dtype(long n, global const type *restrict x, global type *restrict out)       \
    {                                                                                                            \
        const long vector = get_global_id(0), first = vector * width;                                            \
        if (first + width <= n) {                                                                                \
            type##width cosine, sine = sincos(((global const type##width *)x)[vector], &cosine);                 \
            ((global type##width *)out)[vector] = sine * sine + cosine * cosine;                                 \
        } else                                                                                                   \
            for (long i = first; i < n; i++) {                                                                   \
                type cosine, sine = sincos(x[i], &cosine);                                                       \
                out[i] = sine * sine + cosine * cosine;                                                          \
            }                                                                                                    \
    }

DEFINE_ELEMENTWISE_TRIG(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_ELEMENTWISE_TRIG(double, float64, 2)
#endif
