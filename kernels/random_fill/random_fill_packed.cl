/* SplitMix64 of a counter, as in random_fill.c, one work-item per 16 bytes. */

inline ulong random_bits(ulong k)
{
    ulong z = (k + 1) * 0x9e3779b97f4a7c15UL;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9UL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebUL;
    return z ^ z >> 31;
}

inline float unit_float32(ulong bits)
{
    return (int)(bits >> 40) * 0x1p-24f;
}

#define DEFINE_RANDOM_FILL(type, dtype, width)                                      \
    kernel void random_fill_##dtype(long n, ulong drawn, global type *out)          \
    {                                                                               \
        const long vector = get_global_id(0), first = vector * width;               \
        /* idea: as many numbers as 16 bytes hold, stored at once */                \
        type numbers[width];                                                        \
        for (int k = 0; k < width; k++)                                             \
            numbers[k] = unit_##dtype(random_bits(drawn + first + k));              \
        if (first + width <= n)                                                     \
            vstore##width(vload##width(0, numbers), vector, out);                   \
        else                                                                        \
            for (long i = first; i < n; i++)                                        \
                out[i] = numbers[i - first];                                        \
        /* end of idea */                                                           \
    }

DEFINE_RANDOM_FILL(float, float32, 4)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

inline double unit_float64(ulong bits)
{
    return as_double(bits >> 12 | 0x3ff0000000000000UL) - 1;
}

DEFINE_RANDOM_FILL(double, float64, 2)
#endif
