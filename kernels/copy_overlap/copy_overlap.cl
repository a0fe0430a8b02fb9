/* x = 2 * x, one work-item per element. */

#define DEFINE_COPY_OVERLAP(type, dtype)                                   \
    kernel void copy_overlap_##dtype(long n, global type *x)               \
    {                                                                      \
        const long i = get_global_id(0);                                   \
        if (i < n)                                                         \
            x[i] = 2 * x[i];                                               \
    }

DEFINE_COPY_OVERLAP(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_COPY_OVERLAP(double, float64)
#endif
