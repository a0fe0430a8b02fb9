/* How many numbers fall into each of `bins` equal parts of [0, 1). A work-group counts numbers a whole grid apart in a
   histogram of its own, in local memory, and adds that to the whole one. */

#define DEFINE_HISTOGRAM(real, dtype)                                                                    \
    kernel void histogram_privatised_##dtype(long n, int bins, global const real *x, global int *counts, \
                                             local int *of_group)                                        \
    {                                                                                                    \
        const int me = get_local_id(0), group = get_local_size(0);                                       \
        for (int bin = me; bin < bins; bin += group)                                                     \
            of_group[bin] = 0;                                                                           \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
        for (long i = get_global_id(0); i < n; i += get_global_size(0))                                  \
            atomic_inc(of_group + (int)(x[i] * bins));                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
        for (int bin = me; bin < bins; bin += group)                                                     \
            atomic_add(counts + bin, of_group[bin]);                                                     \
    }

DEFINE_HISTOGRAM(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_HISTOGRAM(double, float64)
#endif
