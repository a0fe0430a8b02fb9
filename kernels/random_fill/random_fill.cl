/* SplitMix64 of a counter, as in random_fill.c, one work-item per element. */

inline ulong random_bits(ulong k)
{
    ulong z = (k + 1) * 0x9e3779b97f4a7c15UL;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9UL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebUL;
    return z ^ z >> 31;
}

kernel void random_fill_float32(long n, ulong drawn, global float *out)
{
    const long i = get_global_id(0);
    if (i < n)
        out[i] = (random_bits(drawn + i) >> 40) * 0x1p-24f;
}

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void random_fill_float64(long n, ulong drawn, global double *out)
{
    const long i = get_global_id(0);
    if (i < n)
        out[i] = (random_bits(drawn + i) >> 11) * 0x1p-53;
}
#endif
