/* Sum of a vector. Each work-group has `items` * (local size) elements. Each work-item adds up its elements, 16 bytes
   at a time. Then the group adds up its work-items' sums as a tree in local memory. A second launch, of one group, adds
   up the groups' sums. If there are several groups, `items` is a multiple of `width`. */

#define DEFINE_VECTOR_SUM(type, dtype, width)                                                                \
    kernel void vector_sum_##dtype(long n, long items, global const type *x, global type *sums,              \
                                   local type *shared)                                                       \
    {                                                                                                        \
        const int me = get_local_id(0), size = get_local_size(0);                                            \
        const long begin = get_group_id(0) * items * size, end = min(n, begin + items * size);               \
        type##width lanes = 0;                                                                               \
        _Pragma("unroll 4") /* number of loads in flight */                                                  \
        for (long i = begin / width + me; i < end / width; i += size)                                        \
            lanes += ((global const type##width *)x)[i];                                                     \
        type lane[width], total = 0;                                                                         \
        vstore##width(lanes, 0, lane);                                                                       \
        for (int k = 0; k < width; k++)                                                                      \
            total += lane[k];                                                                                \
        for (long i = end - end % width + me; i < end; i += size)                                            \
            total += x[i];                                                                                   \
        shared[me] = total;                                                                                  \
        /* idea: the upper half of the sums is added to the lower half, until one sum is left */             \
        for (int active = size; active > 1;) { /* if active is odd, the middle sum is kept */ \
            const int middle = (active + 1) / 2;                                                             \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
            if (me < active - middle)                                                                        \
                shared[me] += shared[me + middle];                                                           \
            active = middle;                                                                                 \
        }                                                                                                    \
        /* end of idea */                                                                                    \
        if (me == 0)                                                                                         \
            sums[get_group_id(0)] = shared[0];                                                               \
    }

DEFINE_VECTOR_SUM(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_VECTOR_SUM(double, float64, 2)
#endif
