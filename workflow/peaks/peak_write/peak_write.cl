/* out = a. Each work-group writes `chunk` vectors of four elements. The last group also writes the last
   n % 4 elements. Stores bypass the caches if the compiler can do that. Otherwise each cache line is read before it is
   written. Such reads are half of the traffic. */

#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define STORE(value, pointer) __builtin_nontemporal_store(value, pointer)
#endif
#endif
#ifndef STORE
#define STORE(value, pointer) (*(pointer) = (value))
#endif

#define DEFINE_PEAK_WRITE(type, dtype)                                               \
    kernel void peak_write_##dtype(long n, long chunk, type a, global type *out)     \
    {                                                                                \
        global type##4 *const to = (global type##4 *)out;                            \
        const type##4 value = a;                                                     \
        const long me = get_local_id(0), size = get_local_size(0);                   \
        const long begin = get_group_id(0) * chunk, end = min(n / 4, begin + chunk); \
        for (long i = begin + me; i < end; i += size)                                \
            STORE(value, to + i);                                                    \
        if (get_group_id(0) == get_num_groups(0) - 1)                                \
            for (long i = n - n % 4 + me; i < n; i += size)                          \
                out[i] = a;                                                          \
    }

DEFINE_PEAK_WRITE(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_PEAK_WRITE(double, float64)
#endif
