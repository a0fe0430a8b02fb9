/* Cumulative sum as the textbook has it (Hillis and Steele): each group scans its elements, one a work-item, by
   doubling, and leaves their sum. The groups' sums are scanned likewise, then added: each group adds the sum of those
   before it. Local memory: an element a work-item. */

#define DEFINE_CUMSUM(real, dtype)                                                                                  \
    kernel void scan_##dtype(long n, global const real *x, global real *out, global real *sums, local real *shared) \
    {                                                                                                               \
        const long i = get_global_id(0);                                                                            \
        const int me = get_local_id(0), size = get_local_size(0);                                                   \
        /* idea: after each round a cell is the sum of twice as many elements up to its own */ \
        shared[me] = i < n ? x[i] : 0;                                                                              \
        for (int distance = 1; distance < size; distance *= 2) {                                                    \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                           \
            const real before = me >= distance ? shared[me - distance] : 0;                                         \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                           \
            shared[me] += before;                                                                                   \
        }                                                                                                           \
        /* end of idea */                                                                                           \
        if (i < n)                                                                                                  \
            out[i] = shared[me];                                                                                    \
        if (me == size - 1)                                                                                         \
            sums[get_group_id(0)] = shared[me];                                                                     \
    }                                                                                                               \
                                                                                                                    \
    kernel void add_##dtype(long n, global real *out, global const real *sums)                                      \
    {                                                                                                               \
        const long i = get_global_id(0);                                                                            \
        if (i < n && get_group_id(0) > 0)                                                                           \
            out[i] += sums[get_group_id(0) - 1];                                                                    \
    }

DEFINE_CUMSUM(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_CUMSUM(double, float64)
#endif
