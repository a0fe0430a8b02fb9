/* Dot product in two launches: dot stores one sum per group; add_up adds up these sums in one group. Work-items add up
   products with a stride of the grid's size. Then the group adds up its work-items' sums as a tree in local memory. */

#define DEFINE_DOT(real, dtype)                                                                               \
    real sum_of_group_##dtype(local real *shared, real mine)                                                  \
    {                                                                                                         \
        const int me = get_local_id(0);                                                                       \
        shared[me] = mine;                                                                                    \
        for (int active = get_local_size(0); active > 1;) { /* if active is odd, the middle number stays */  \
            const int middle = (active + 1) / 2;                                                              \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
            if (me < active - middle)                                                                         \
                shared[me] += shared[me + middle];                                                            \
            active = middle;                                                                                  \
        }                                                                                                     \
        return shared[me];                                                                                    \
    }                                                                                                         \
                                                                                                              \
    kernel void dot_##dtype(long n, global const real *x, global const real *y, global real *sums,            \
                            local real *shared)                                                               \
    {                                                                                                         \
        real mine = 0;                                                                                        \
        /* idea: a work-item adds up elements with a stride of the grid's size */                             \
        for (long i = get_global_id(0); i < n; i += get_global_size(0))                                       \
            mine += x[i] * y[i];                                                                              \
        /* end of idea */                                                                                     \
        const real total = sum_of_group_##dtype(shared, mine);                                                \
        if (get_local_id(0) == 0)                                                                             \
            sums[get_group_id(0)] = total;                                                                    \
    }                                                                                                         \
                                                                                                              \
    kernel void add_up_##dtype(long n, global const real *sums, global real *product, local real *shared)     \
    {                                                                                                         \
        real mine = 0;                                                                                        \
        for (long i = get_local_id(0); i < n; i += get_local_size(0))                                         \
            mine += sums[i];                                                                                  \
        const real total = sum_of_group_##dtype(shared, mine);                                                \
        if (get_local_id(0) == 0)                                                                             \
            *product = total;                                                                                 \
    }

DEFINE_DOT(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_DOT(double, float64)
#endif
