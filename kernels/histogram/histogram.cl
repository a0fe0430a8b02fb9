/* Count the numbers in each of `bins` equal parts of [0, 1), one work-item per number, by atomic additions in global
   memory. */

#define DEFINE_HISTOGRAM(real, dtype)                                                         \
    kernel void histogram_##dtype(long n, int bins, global const real *x, global int *counts) \
    {                                                                                         \
        const long i = get_global_id(0);                                                      \
        const real bin = i < n ? x[i] * bins : -1;                                            \
        if (bin >= 0 && bin < bins)                                                           \
            atomic_inc(counts + (int)bin);                                                    \
    }

DEFINE_HISTOGRAM(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_HISTOGRAM(double, float64)
#endif
