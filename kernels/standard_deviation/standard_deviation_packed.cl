/* Standard deviation in two passes, each of two stages: work-groups add up `items` * local size elements each, or the
   squares of their differences from *mean, every work-item its own first, then the group as a tree in local memory; one
   group adds up the groups' sums and divides by n. `items` is a multiple of the width if there are several groups. */

#define DEFINE_STANDARD_DEVIATION(type, dtype, width)                                                        \
    void add_up_group_##dtype(local type *shared, type mine)                                                 \
    {                                                                                                        \
        const int me = get_local_id(0);                                                                      \
        shared[me] = mine;                                                                                   \
        for (int active = get_local_size(0); active > 1;) { /* the upper half onto the lower */              \
            const int middle = (active + 1) / 2;                                                             \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
            if (me < active - middle)                                                                        \
                shared[me] += shared[me + middle];                                                           \
            active = middle;                                                                                 \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    kernel void add_up_##dtype(long n, long items, global const type *x, global const type *mean,            \
                               int squared, global type *sums, local type *shared)                           \
    {                                                                                                        \
        const int me = get_local_id(0), size = get_local_size(0);                                            \
        const long begin = get_group_id(0) * items * size, end = min(n, begin + items * size);               \
        const type origin = squared ? *mean : 0;                                                             \
        type##width lanes = 0;                                                                               \
        /* idea: 16 bytes a load */                                                                          \
        for (long i = begin / width + me; i < end / width; i += size) {                                      \
            const type##width numbers = ((global const type##width *)x)[i] - origin;                         \
            lanes += squared ? numbers * numbers : numbers;                                                  \
        }                                                                                                    \
        /* end of idea */                                                                                    \
        type lane[width], total = 0;                                                                         \
        vstore##width(lanes, 0, lane);                                                                       \
        for (int k = 0; k < width; k++)                                                                      \
            total += lane[k];                                                                                \
        for (long i = end - end % width + me; i < end; i += size)                                            \
            total += squared ? (x[i] - origin) * (x[i] - origin) : x[i];                                     \
        add_up_group_##dtype(shared, total);                                                                 \
        if (me == 0)                                                                                         \
            sums[get_group_id(0)] = shared[0];                                                               \
    }                                                                                                        \
                                                                                                             \
    kernel void average_##dtype(long n, long groups, global const type *sums, global type *mean,             \
                                global type *deviation, local type *shared)                                  \
    {                                                                                                        \
        type total = 0;                                                                                      \
        for (long i = get_local_id(0); i < groups; i += get_local_size(0))                                   \
            total += sums[i];                                                                                \
        add_up_group_##dtype(shared, total);                                                                 \
        if (get_local_id(0) == 0) {                                                                          \
            *mean = shared[0] / n;                                                                           \
            *deviation = sqrt(*mean);                                                                        \
        }                                                                                                    \
    }

DEFINE_STANDARD_DEVIATION(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_STANDARD_DEVIATION(double, float64, 2)
#endif
