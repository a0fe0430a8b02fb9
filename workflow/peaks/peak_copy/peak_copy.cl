/* Each work-group copies `chunk` vectors of four elements; the last group also copies the last n % 4 elements. Stores
   bypass the caches if the compiler can do that. Otherwise each cache line is read before it is overwritten. Such reads
   are a third of the traffic. */

#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define STORE(value, pointer) __builtin_nontemporal_store(value, pointer)
#endif
#endif
#ifndef STORE
#define STORE(value, pointer) (*(pointer) = (value))
#endif

#define DEFINE_PEAK_COPY(type, dtype)                                                         \
    kernel void peak_copy_##dtype(long n, long chunk, global const type *x, global type *out) \
    {                                                                                         \
        global const type##4 *const from = (global const type##4 *)x;                         \
        global type##4 *const to = (global type##4 *)out;                                     \
        const long me = get_local_id(0), size = get_local_size(0);                            \
        const long begin = get_group_id(0) * chunk, end = min(n / 4, begin + chunk);          \
        for (long i = begin + me; i < end; i += size)                                         \
            STORE(from[i], to + i);                                                           \
        if (get_group_id(0) == get_num_groups(0) - 1)                                         \
            for (long i = n - n % 4 + me; i < n; i += size)                                   \
                out[i] = x[i];                                                                \
    }

DEFINE_PEAK_COPY(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_PEAK_COPY(double, float64)
#endif
