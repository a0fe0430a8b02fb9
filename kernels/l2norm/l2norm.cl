/* Euclidean length of each row by one work-group: each work-item adds up its part of the squares, then the group adds
   up these sums as a tree in local memory. */

#define DEFINE_L2NORM(real, dtype)                                                                            \
    kernel void l2norm_##dtype(long columns, global const real *x, global real *out, local real *shared)      \
    {                                                                                                         \
        const int me = get_local_id(0);                                                                       \
        global const real *const row = x + get_group_id(0) * columns;                                         \
        real mine = 0;                                                                                        \
        for (long j = me; j < columns; j += get_local_size(0))                                                \
            mine += row[j] * row[j];                                                                          \
        shared[me] = mine;                                                                                    \
        for (int active = get_local_size(0); active > 1;) { /* upper half onto lower; an odd one out waits */ \
            const int middle = (active + 1) / 2;                                                              \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
            if (me < active - middle)                                                                         \
                shared[me] += shared[me + middle];                                                            \
            active = middle;                                                                                  \
        }                                                                                                     \
        if (me == 0)                                                                                          \
            out[get_group_id(0)] = sqrt(shared[0]);                                                           \
    }

DEFINE_L2NORM(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_L2NORM(double, float64)
#endif
