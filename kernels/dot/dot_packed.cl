/* Dot product: each work-group adds up `items` * local size products. A work-item loads 16 bytes of each vector at a
   time. Then the group adds up its work-items' sums as a tree in local memory. add_up adds up the groups' sums in one
   group. `items` is a multiple of the vectors' width; buffers are aligned to 16 bytes. */

#define DEFINE_DOT(type, dtype, width)                                                                       \
    type sum_of_group_##dtype(local type *shared, type mine)                                                 \
    {                                                                                                        \
        const int me = get_local_id(0);                                                                      \
        shared[me] = mine;                                                                                   \
        for (int active = get_local_size(0); active > 1;) { /* if active is odd, the middle number stays */  \
            const int middle = (active + 1) / 2;                                                             \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
            if (me < active - middle)                                                                        \
                shared[me] += shared[me + middle];                                                           \
            active = middle;                                                                                 \
        }                                                                                                    \
        return shared[me];                                                                                   \
    }                                                                                                        \
                                                                                                             \
    kernel void dot_##dtype(long n, long items, global const type *x, global const type *y,                  \
                            global type *sums, local type *shared)                                           \
    {                                                                                                        \
        const int me = get_local_id(0), size = get_local_size(0);                                            \
        const long begin = get_group_id(0) * items * size, end = min(n, begin + items * size);               \
        type##width lanes = 0;                                                                               \
        /* idea: 16 bytes per load */                                                                        \
        _Pragma("unroll 4") /* number of vectors in flight */                                                \
        for (long i = begin / width + me; i < end / width; i += size)                                        \
            lanes += ((global const type##width *)x)[i] * ((global const type##width *)y)[i];                \
        /* end of idea */                                                                                    \
        type lane[width], mine = 0;                                                                          \
        vstore##width(lanes, 0, lane);                                                                       \
        for (int k = 0; k < width; k++)                                                                      \
            mine += lane[k];                                                                                 \
        for (long i = end - end % width + me; i < end; i += size)                                            \
            mine += x[i] * y[i];                                                                             \
        const type total = sum_of_group_##dtype(shared, mine);                                               \
        if (me == 0)                                                                                         \
            sums[get_group_id(0)] = total;                                                                   \
    }                                                                                                        \
                                                                                                             \
    kernel void add_up_##dtype(long n, global const type *sums, global type *product, local type *shared)    \
    {                                                                                                        \
        type mine = 0;                                                                                       \
        for (long i = get_local_id(0); i < n; i += get_local_size(0))                                        \
            mine += sums[i];                                                                                 \
        const type total = sum_of_group_##dtype(shared, mine);                                               \
        if (get_local_id(0) == 0)                                                                            \
            *product = total;                                                                                \
    }

DEFINE_DOT(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_DOT(double, float64, 2)
#endif
