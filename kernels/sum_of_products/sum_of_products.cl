/* Sum of products along each row by one work-group: each work-item adds up its part of the products, then the group
   adds up these sums as a tree in local memory. */

#define DEFINE_SUM_OF_PRODUCTS(real, dtype)                                                                   \
    kernel void sum_of_products_##dtype(long columns, global const real *x, global const real *y,             \
                                        global real *out, local real *shared)                                 \
    {                                                                                                         \
        const int me = get_local_id(0);                                                                       \
        const long row = get_group_id(0);                                                                     \
        real mine = 0;                                                                                        \
        for (long j = me; j < columns; j += get_local_size(0))                                                \
            mine += x[row * columns + j] * y[row * columns + j];                                              \
        shared[me] = mine;                                                                                    \
        for (int active = get_local_size(0); active > 1;) { /* upper half onto lower; an odd one out waits */ \
            const int middle = (active + 1) / 2;                                                              \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
            if (me < active - middle)                                                                         \
                shared[me] += shared[me + middle];                                                            \
            active = middle;                                                                                  \
        }                                                                                                     \
        if (me == 0)                                                                                          \
            out[row] = shared[0];                                                                             \
    }

DEFINE_SUM_OF_PRODUCTS(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SUM_OF_PRODUCTS(double, float64)
#endif
