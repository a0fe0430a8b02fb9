/* Trace of a matrix of n rows by one work-group: each work-item adds up every local-size-th element of the diagonal,
   then the group adds those sums up as a tree in local memory. */

#define DEFINE_TRACE(type, dtype)                                                                            \
    kernel void trace_##dtype(long n, global const type *a, global type *total, local type *shared)          \
    {                                                                                                        \
        const int me = get_local_id(0), size = get_local_size(0);                                            \
        type mine = 0;                                                                                       \
        for (long i = me; i < n; i += size)                                                                  \
            mine += a[i * (n + 1)];                                                                          \
        shared[me] = mine;                                                                                   \
        for (int active = size; active > 1;) { /* the upper half onto the lower; an odd one out waits */     \
            const int middle = (active + 1) / 2;                                                             \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
            if (me < active - middle)                                                                        \
                shared[me] += shared[me + middle];                                                           \
            active = middle;                                                                                 \
        }                                                                                                    \
        if (me == 0)                                                                                         \
            *total = shared[0];                                                                              \
    }

DEFINE_TRACE(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_TRACE(double, float64)
#endif
