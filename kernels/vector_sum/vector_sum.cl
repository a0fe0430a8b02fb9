/* Sum of a vector. Each work-item adds up elements with a stride of the grid's size. Then the group adds up its
   work-items' sums as a tree in local memory. A second launch, with one group, adds up the groups' sums. */

#define DEFINE_VECTOR_SUM(real, dtype)                                                                        \
    kernel void vector_sum_##dtype(long n, global const real *x, global real *sums, local real *shared)       \
    {                                                                                                         \
        const int me = get_local_id(0);                                                                       \
        real mine = 0;                                                                                        \
        for (long i = get_global_id(0); i < n; i += get_global_size(0))                                       \
            mine += x[i];                                                                                     \
        shared[me] = mine;                                                                                    \
        for (int active = get_local_size(0); active > 1;) { /* if active is odd, the middle sum is kept */   \
            const int middle = (active + 1) / 2;                                                              \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
            if (me < active - middle)                                                                         \
                shared[me] += shared[me + middle];                                                            \
            active = middle;                                                                                  \
        }                                                                                                     \
        if (me == 0)                                                                                          \
            sums[get_group_id(0)] = shared[0];                                                                \
    }

DEFINE_VECTOR_SUM(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_VECTOR_SUM(double, float64)
#endif
