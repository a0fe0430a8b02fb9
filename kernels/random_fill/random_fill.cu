/* SplitMix64 of a counter, as in random_fill.c, one thread per element. */

typedef unsigned long long uint64;

__device__ uint64 random_bits(uint64 k)
{
    uint64 z = (k + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

extern "C" __global__ void random_fill_float64(long long n, uint64 drawn, double *out)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = (random_bits(drawn + i) >> 11) * 0x1p-53;
}

extern "C" __global__ void random_fill_float32(long long n, uint64 drawn, float *out)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = (random_bits(drawn + i) >> 40) * 0x1p-24f;
}
