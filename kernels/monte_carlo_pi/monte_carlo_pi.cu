/* Draw points by SplitMix64 of a counter, as in monte_carlo_pi.c, so that they are the same for any number of threads.
   There are two launches. By atomics, `count` adds the hits of threads to the hits of their block, and the hits of
   blocks to `hits`. Then `estimate` computes pi from `hits` and resets `hits` to 0. */

typedef unsigned long long uint64;

__device__ uint64 mix(uint64 z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

__device__ uint64 random_bits(uint64 start, uint64 k)
{
    return mix(start + k * 0x9e3779b97f4a7c15);
}

__device__ bool inside_float64(uint64 start, uint64 i)
{
    const double x = (random_bits(start, 2 * i) >> 12) * 0x1p-52, y = (random_bits(start, 2 * i + 1) >> 12) * 0x1p-52;
    return x * x + y * y < 1;
}

__device__ bool inside_float32(uint64 start, uint64 i)
{
    const uint64 bits = random_bits(start, i);
    const float x = (bits >> 40) * 0x1p-24f, y = (bits >> 8 & 0xffffff) * 0x1p-24f;
    return x * x + y * y < 1;
}

template <bool inside(uint64, uint64)> __device__ void count(long long n, uint64 seed, uint64 *hits)
{
    __shared__ unsigned of_block;
    if (threadIdx.x == 0)
        of_block = 0;
    __syncthreads();
    // idea: a thread counts the hits of points with a stride of the grid's size; atomics add up the counts
    const uint64 start = mix(seed);
    unsigned mine = 0;
    for (long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        mine += inside(start, i);
    atomicAdd(&of_block, mine);
    // end of idea
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(hits, (uint64)of_block);
}

extern "C" __global__ void count_float64(long long n, uint64 seed, uint64 *hits)
{
    count<inside_float64>(n, seed, hits);
}

extern "C" __global__ void count_float32(long long n, uint64 seed, uint64 *hits)
{
    count<inside_float32>(n, seed, hits);
}

extern "C" __global__ void estimate(long long n, uint64 *hits, double *pi)
{
    *pi = n ? 4.0 * *hits / n : 0.0;
    *hits = 0;
}
