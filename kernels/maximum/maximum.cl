/* Largest number of a vector: each work-item keeps the largest of elements a whole grid apart, then the group finds the
   largest of its work-items' maxima as a tree in local memory. A second launch, with one group, finds the largest of
   the groups' maxima. */

#define DEFINE_MAXIMUM(real, dtype, lowest)                                                                      \
    kernel void maximum_##dtype(long n, global const real *x, global real *maxima, local real *shared)           \
    {                                                                                                            \
        const int me = get_local_id(0);                                                                          \
        real mine = lowest;                                                                                      \
        for (long i = get_global_id(0); i < n; i += get_global_size(0))                                          \
            mine = max(mine, x[i]);                                                                              \
        shared[me] = mine;                                                                                       \
        for (int active = get_local_size(0); active > 1;) { /* upper half against lower; an odd one out waits */ \
            const int middle = (active + 1) / 2;                                                                 \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
            if (me < active - middle)                                                                            \
                shared[me] = max(shared[me], shared[me + middle]);                                               \
            active = middle;                                                                                     \
        }                                                                                                        \
        if (me == 0)                                                                                             \
            maxima[get_group_id(0)] = shared[0];                                                                 \
    }

DEFINE_MAXIMUM(float, float32, -FLT_MAX)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_MAXIMUM(double, float64, -DBL_MAX)
#endif
