/* out = 1, one work-item per 16 bytes: single floats keep too little memory traffic in flight to saturate a GPU's
   memory. The buffer begins at a multiple of 16 bytes. */

#define DEFINE_FILL(type, dtype, width)                                                                          \
    kernel void fill_##dtype(long n, global type *out)                                                           \
    {                                                                                                            \
        const long vector = get_global_id(0), first = vector * width;                                            \
        if (first + width <= n)                                                                                  \
            ((global type##width *)out)[vector] = 1;                                                             \
        else                                                                                                     \
            for (long i = first; i < n; i++)                                                                     \
                out[i] = 1;                                                                                      \
    }

DEFINE_FILL(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_FILL(double, float64, 2)
#endif
