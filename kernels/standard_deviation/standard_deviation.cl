/* Standard deviation in two passes of two launches each: add_up leaves a sum per group, of the numbers or of the
   squares of their differences from *mean; average, in one group, divides the sum of these by n. */

#define DEFINE_STANDARD_DEVIATION(real, dtype)                                                                \
    real sum_of_group_##dtype(local real *shared, real mine)                                                  \
    {                                                                                                         \
        const int me = get_local_id(0);                                                                       \
        shared[me] = mine;                                                                                    \
        for (int active = get_local_size(0); active > 1;) { /* upper half onto lower; an odd one out waits */ \
            const int middle = (active + 1) / 2;                                                              \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
            if (me < active - middle)                                                                         \
                shared[me] += shared[me + middle];                                                            \
            active = middle;                                                                                  \
        }                                                                                                     \
        return shared[me];                                                                                    \
    }                                                                                                         \
                                                                                                              \
    kernel void add_up_##dtype(long n, global const real *x, global const real *mean, int squared,            \
                               global real *sums, local real *shared)                                         \
    {                                                                                                         \
        real mine = 0;                                                                                        \
        /* idea: a work-item adds up what lies a whole grid apart */                                          \
        for (long i = get_global_id(0); i < n; i += get_global_size(0))                                       \
            mine += squared ? (x[i] - *mean) * (x[i] - *mean) : x[i];                                         \
        /* end of idea */                                                                                     \
        const real sum = sum_of_group_##dtype(shared, mine);                                                  \
        if (get_local_id(0) == 0)                                                                             \
            sums[get_group_id(0)] = sum;                                                                      \
    }                                                                                                         \
                                                                                                              \
    kernel void average_##dtype(long n, long groups, global const real *sums, global real *mean,              \
                                global real *deviation, local real *shared)                                   \
    {                                                                                                         \
        real mine = 0;                                                                                        \
        for (long i = get_local_id(0); i < groups; i += get_local_size(0))                                    \
            mine += sums[i];                                                                                  \
        const real sum = sum_of_group_##dtype(shared, mine);                                                  \
        if (get_local_id(0) == 0) {                                                                           \
            *mean = sum / n;                                                                                  \
            *deviation = sqrt(*mean);                                                                         \
        }                                                                                                     \
    }

DEFINE_STANDARD_DEVIATION(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_STANDARD_DEVIATION(double, float64)
#endif
