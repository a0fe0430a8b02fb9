/* Largest number of a vector in a single launch: threads compare packs of 16 bytes a whole grid apart, each block its
   threads' maxima as a tree in shared memory, and the block that finishes last the blocks' maxima.

   x begins at a multiple of 16 bytes. maxima: an element per block. finished: 0 before and after. Shared memory: an
   element per thread. */

template <typename Real>
struct alignas(16) Pack {
    Real lane[16 / sizeof(Real)];
};

template <typename Real>
__device__ Real larger(Real a, Real b)
{
    return a > b ? a : b;
}

template <typename Real>
__device__ void compare_block(Real *shared, Real mine)
{
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* the upper half against the lower; an odd one out waits */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] = larger(shared[threadIdx.x], shared[threadIdx.x + middle]);
        active = middle;
    }
}

template <typename Real>
__device__ void maximum(long long n, const Real *__restrict__ x, Real lowest, Real *maxima, unsigned *finished,
                        Real *largest)
{
    extern __shared__ double shared_memory[];
    Real *shared = reinterpret_cast<Real *>(shared_memory);
    const Pack<Real> *packs = reinterpret_cast<const Pack<Real> *>(x);
    const int width = 16 / sizeof(Real);
    const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x, grid = (long long)gridDim.x * blockDim.x;
    Real lane[width], mine = lowest;
    for (int k = 0; k < width; k++)
        lane[k] = lowest;
    // idea: 16 bytes a load
#pragma unroll 2 /* that many packs on their way at any time */
    for (long long i = first; i < n / width; i += grid) {
        const Pack<Real> pack = packs[i];
        for (int k = 0; k < width; k++)
            lane[k] = larger(lane[k], pack.lane[k]);
    }
    // end of idea
    for (int k = 0; k < width; k++)
        mine = larger(mine, lane[k]);
    for (long long i = n - n % width + first; i < n; i += grid)
        mine = larger(mine, x[i]);
    compare_block(shared, mine);
    bool last = false;
    if (threadIdx.x == 0) {
        maxima[blockIdx.x] = shared[0];
        __threadfence(); /* the maximum is there before the count says so */
        last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    if (__syncthreads_or(last)) {
        mine = lowest;
        for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x)
            mine = larger(mine, maxima[block]);
        compare_block(shared, mine);
        if (threadIdx.x == 0)
            *largest = shared[0];
    }
}

/* The lowest numbers are those of float.h, which compilers at run time lack. */
#define DEFINE_MAXIMUM(Real, dtype, lowest)                                                              \
    extern "C" __global__ void maximum_##dtype(long long n, const Real *__restrict__ x, Real *maxima,    \
                                               unsigned *finished, Real *largest)                        \
    {                                                                                                    \
        maximum<Real>(n, x, lowest, maxima, finished, largest);                                          \
    }

DEFINE_MAXIMUM(double, float64, -1.7976931348623157e308)
DEFINE_MAXIMUM(float, float32, -3.40282347e38f)
