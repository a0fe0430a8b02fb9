/* Draw points by SplitMix64 of a counter, as in monte_carlo_pi.c. Any number of work-items draws the same points. */

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

inline ulong mix_bits(ulong z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9UL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebUL;
    return z ^ z >> 31;
}

constant ulong GOLDEN = 0x9e3779b97f4a7c15UL;

inline float unit_float32(uint bits)
{
    return (int)(bits >> 8) * 0x1p-24f;
}

/* Hashes per point. In float64, each coordinate takes a hash; in float32, half a hash. */
#define NUMBERS_float64 2
#define NUMBERS_float32 1

// idea: a point is a hash of its index
inline int inside_float32(ulong counter)
{
    ulong bits = mix_bits(counter);
    float x = unit_float32(bits >> 32), y = unit_float32((uint)bits);
    return x * x + y * y < 1;
}
// end of idea

/* Add up `partial`, which has one number per work-item, into partial[0]. The number of work-items may be odd. */
inline void sum_in_group(local long *partial)
{
    uint item = get_local_id(0);
    for (uint count = get_local_size(0); count > 1; count = (count + 1) / 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < count / 2)
            partial[item] += partial[item + (count + 1) / 2];
    }
}

/* 32 bits suffice for the hits of one work-item; the sums over work-items have 64. */
#define DEFINE(dtype)                                                                                          \
    kernel void monte_carlo_pi_##dtype(long n, ulong seed, global long *hits_of_group, local long *partial)    \
    {                                                                                                          \
        const long first = get_global_id(0), items = get_global_size(0);                                       \
        const ulong step = items * NUMBERS_##dtype * GOLDEN;                                                   \
        ulong counter = mix_bits(seed) + first * NUMBERS_##dtype * GOLDEN;                                     \
        uint hits = 0;                                                                                         \
        for (long i = first; i < n; i += items, counter += step)                                               \
            hits += inside_##dtype(counter);                                                                   \
        partial[get_local_id(0)] = hits;                                                                       \
        sum_in_group(partial);                                                                                 \
        if (get_local_id(0) == 0)                                                                              \
            hits_of_group[get_group_id(0)] = partial[0];                                                       \
    }

DEFINE(float32)

#ifdef cl_khr_fp64
inline double unit_float64(ulong bits)
{
    return as_double(bits >> 12 | 0x3ff0000000000000UL) - 1;
}

inline int inside_float64(ulong counter)
{
    double x = unit_float64(mix_bits(counter)), y = unit_float64(mix_bits(counter + GOLDEN));
    return x * x + y * y < 1;
}

DEFINE(float64)

/* Compute pi from the hits of all work-groups of the first launch. This kernel is launched with one work-group. */
kernel void estimate(long n, int groups, global const long *hits_of_group, local long *partial, global double *pi)
{
    long hits = 0;
    for (int group = get_local_id(0); group < groups; group += get_local_size(0))
        hits += hits_of_group[group];
    partial[get_local_id(0)] = hits;
    sum_in_group(partial);
    if (get_local_id(0) == 0)
        *pi = n ? 4.0 * partial[0] / n : 0.0;
}
#endif
