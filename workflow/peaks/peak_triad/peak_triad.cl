/* out = x + a * y. Each work-group computes `chunk` vectors of four elements, and the last group also n % 4 elements.
   Stores bypass the caches if the compiler can do that. Otherwise each cache line is read before it is written. */

#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define STORE(value, pointer) __builtin_nontemporal_store(value, pointer)
#endif
#endif
#ifndef STORE
#define STORE(value, pointer) (*(pointer) = (value))
#endif

#define DEFINE_PEAK_TRIAD(type, dtype)                                                                     \
    kernel void peak_triad_##dtype(long n, long chunk, type a, global const type *x, global const type *y, \
                                    global type *out)                                                      \
    {                                                                                                      \
        global const type##4 *const x4 = (global const type##4 *)x;                                        \
        global const type##4 *const y4 = (global const type##4 *)y;                                        \
        global type##4 *const out4 = (global type##4 *)out;                                                \
        const long me = get_local_id(0), size = get_local_size(0);                                         \
        const long begin = get_group_id(0) * chunk, end = min(n / 4, begin + chunk);                       \
        for (long i = begin + me; i < end; i += size)                                                      \
            STORE(x4[i] + a * y4[i], out4 + i);                                                            \
        if (get_group_id(0) == get_num_groups(0) - 1)                                                      \
            for (long i = n - n % 4 + me; i < n; i += size)                                                \
                out[i] = x[i] + a * y[i];                                                                  \
    }

DEFINE_PEAK_TRIAD(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_PEAK_TRIAD(double, float64)
#endif
