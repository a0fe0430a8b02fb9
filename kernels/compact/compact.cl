/* The elements above 0.5, then zeros, as the textbook has it, one work-item per element. Flags say what is kept; their
   scan says how many are kept up to each element. By that number, each is scattered to its place, or leaves a zero at
   the end.

   scan: each group scans its flags by doubling and leaves their sum. The groups' sums are scanned likewise, then added:
   each group adds the sum of those before it. */

kernel void scan(long n, global long *kept, global long *sums, local long *shared)
{
    const long i = get_global_id(0);
    const int me = get_local_id(0), size = get_local_size(0);
    shared[me] = i < n ? kept[i] : 0;
    for (int distance = 1; distance < size; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const long before = me >= distance ? shared[me - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[me] += before;
    }
    if (i < n)
        kept[i] = shared[me];
    if (me == size - 1)
        sums[get_group_id(0)] = shared[me];
}

kernel void add(long n, global long *kept, global const long *sums)
{
    const long i = get_global_id(0);
    if (i < n && get_group_id(0) > 0)
        kept[i] += sums[get_group_id(0) - 1];
}

#define DEFINE_COMPACT(real, dtype)                                                                            \
    kernel void flag_##dtype(long n, global const real *x, global long *kept)                                  \
    {                                                                                                          \
        const long i = get_global_id(0);                                                                       \
        if (i < n)                                                                                             \
            kept[i] = x[i] > (real)0.5;                                                                        \
    }                                                                                                          \
                                                                                                               \
    kernel void scatter_##dtype(long n, global const real *x, global const long *kept, global real *out,       \
                                global long *count)                                                            \
    {                                                                                                          \
        const long i = get_global_id(0);                                                                       \
        /* idea: the number kept up to it is its place; the number dropped, that of a zero from the end */     \
        if (i < n && x[i] > (real)0.5)                                                                         \
            out[kept[i] - 1] = x[i];                                                                           \
        else if (i < n)                                                                                        \
            out[n - 1 - (i - kept[i])] = 0;                                                                    \
        /* end of idea */                                                                                      \
        if (i == 0)                                                                                            \
            *count = n > 0 ? kept[n - 1] : 0;                                                                  \
    }

DEFINE_COMPACT(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_COMPACT(double, float64)
#endif
