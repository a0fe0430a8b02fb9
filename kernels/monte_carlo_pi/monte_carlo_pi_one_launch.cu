/* Draw points by SplitMix64 of a counter, as in monte_carlo_pi.c, so that they are the same for any number of threads.

   There is one launch. Each block adds its hits to `hits`, and the block that finishes last computes the estimate. The
   counters `hits` and `finished` are 0 before and after a launch. Shared memory: 4 bytes per thread. */

typedef unsigned long long uint64;

const uint64 GOLDEN = 0x9e3779b97f4a7c15;

__device__ uint64 mix(uint64 z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Put 52 bits into the fraction of a number in [1, 2) and subtract 1. */
__device__ double unit_float64(uint64 bits)
{
    return __longlong_as_double(bits >> 12 | 0x3ff0000000000000) - 1;
}

__device__ float unit_float32(unsigned bits)
{
    return (int)(bits >> 8) * 0x1p-24f;
}

/* NUMBERS: hashes per point. In float64, each coordinate takes a hash; in float32, half a hash. */
struct Float64 {
    static const int NUMBERS = 2;
    __device__ static bool inside(uint64 counter)
    {
        const double x = unit_float64(mix(counter)), y = unit_float64(mix(counter + GOLDEN));
        return x * x + y * y < 1;
    }
};

struct Float32 {
    static const int NUMBERS = 1;
    __device__ static bool inside(uint64 counter)
    {
        const uint64 bits = mix(counter);
        const float x = unit_float32(bits >> 32), y = unit_float32((unsigned)bits);
        return x * x + y * y < 1;
    }
};

/* Return the sum of `mine` over the block's threads. Only thread 0 gets the complete sum. */
__device__ unsigned add_up_block(unsigned *shared, unsigned mine)
{
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* if active is odd, the middle number stays */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] += shared[threadIdx.x + middle];
        active = middle;
    }
    return shared[0];
}

/* If blocks fill the device, 32 bits suffice for the hits of a block even with 1e11 points. */
template <typename Point>
__device__ void estimate(long long n, uint64 seed, uint64 *hits, unsigned *finished, double *pi)
{
    extern __shared__ unsigned shared_memory[];
    const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x, grid = (long long)gridDim.x * blockDim.x;
    const uint64 step = grid * Point::NUMBERS * GOLDEN;
    uint64 counter = mix(seed) + first * Point::NUMBERS * GOLDEN;
    unsigned mine = 0;
    // idea: a thread counts the hits of points with a stride of the grid's size; the block adds up its threads' hits
#pragma unroll 2 /* with more, a thread needs over 32 registers, and fewer threads fit a multiprocessor */
    for (long long i = first; i < n; i += grid, counter += step)
        mine += Point::inside(counter);
    const unsigned of_block = add_up_block(shared_memory, mine);
    // end of idea
    if (threadIdx.x == 0) {
        atomicAdd(hits, (uint64)of_block);
        __threadfence(); /* publish the hits before the count */
        if (atomicInc(finished, gridDim.x - 1) == gridDim.x - 1) {
            __threadfence();
            const uint64 all = atomicExch(hits, 0ull);
            *pi = n ? 4.0 * all / n : 0.0;
        }
    }
}

#define DEFINE_MONTE_CARLO_PI(Point, dtype)                                                                       \
    extern "C" __global__ void monte_carlo_pi_##dtype(long long n, uint64 seed, uint64 *hits, unsigned *finished, \
                                                      double *pi)                                                 \
    {                                                                                                             \
        estimate<Point>(n, seed, hits, finished, pi);                                                             \
    }

DEFINE_MONTE_CARLO_PI(Float64, float64)
DEFINE_MONTE_CARLO_PI(Float32, float32)
