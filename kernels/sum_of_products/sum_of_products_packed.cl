/* Sum of products along each row by one work-group: each work-item adds up its part of the products, 16 bytes at a
   time, then the group adds up these sums as a tree in local memory. Where the length of a row is a multiple of 16
   bytes, all rows begin at one; rows of other lengths are read element by element. */

#define DEFINE_SUM_OF_PRODUCTS(type, dtype, width)                                                           \
    kernel void sum_of_products_##dtype(long columns, global const type *restrict x,                         \
                                        global const type *restrict y, global type *restrict out,            \
                                        local type *shared)                                                  \
    {                                                                                                        \
        const int me = get_local_id(0), size = get_local_size(0);                                            \
        global const type *const row_x = x + get_group_id(0) * columns;                                      \
        global const type *const row_y = y + get_group_id(0) * columns;                                      \
        const long vectors = columns % width ? 0 : columns / width;                                          \
        type##width lanes = 0;                                                                               \
        /* idea: 16 bytes a load */                                                                          \
        _Pragma("unroll 4") /* that many vectors of each on their way at any time */                         \
        for (long i = me; i < vectors; i += size)                                                            \
            lanes += ((global const type##width *)row_x)[i] * ((global const type##width *)row_y)[i];        \
        /* end of idea */                                                                                    \
        type lane[width], mine = 0;                                                                          \
        vstore##width(lanes, 0, lane);                                                                       \
        for (int k = 0; k < width; k++)                                                                      \
            mine += lane[k];                                                                                 \
        for (long i = vectors * width + me; i < columns; i += size)                                          \
            mine += row_x[i] * row_y[i];                                                                     \
        shared[me] = mine;                                                                                   \
        for (int active = size; active > 1;) { /* the upper half onto the lower; an odd one out waits */     \
            const int middle = (active + 1) / 2;                                                             \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
            if (me < active - middle)                                                                        \
                shared[me] += shared[me + middle];                                                           \
            active = middle;                                                                                 \
        }                                                                                                    \
        if (me == 0)                                                                                         \
            out[get_group_id(0)] = shared[0];                                                                \
    }

DEFINE_SUM_OF_PRODUCTS(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_SUM_OF_PRODUCTS(double, float64, 2)
#endif
