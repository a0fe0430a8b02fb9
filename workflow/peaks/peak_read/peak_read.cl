/* Each work-group adds up `chunk` elements. A second launch, with one group, adds up the groups' sums. Local sizes are
   powers of two. */

#define DEFINE_PEAK_READ(type, dtype)                                                          \
    kernel void peak_read_##dtype(long n, long chunk, global const type *x, global type *sums, \
                                   local type *shared)                                         \
    {                                                                                          \
        const long me = get_local_id(0), size = get_local_size(0);                             \
        const long begin = get_group_id(0) * chunk, end = min(n, begin + chunk);               \
        type total = 0;                                                                        \
        for (long i = begin + me; i < end; i += size)                                          \
            total += x[i];                                                                     \
        shared[me] = total;                                                                    \
        for (long middle = size / 2; middle > 0; middle /= 2) {                                \
            barrier(CLK_LOCAL_MEM_FENCE);                                                      \
            if (me < middle)                                                                   \
                shared[me] += shared[me + middle];                                             \
        }                                                                                      \
        if (me == 0)                                                                           \
            sums[get_group_id(0)] = shared[0];                                                 \
    }

DEFINE_PEAK_READ(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_PEAK_READ(double, float64)
#endif
