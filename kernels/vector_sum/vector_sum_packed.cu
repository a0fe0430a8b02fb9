/* Sum of a vector in a single launch. Threads add up packs of 16 bytes with a stride of the grid's size. Each block
   adds up its threads' sums as a tree in shared memory. The block that finishes last adds up the blocks' sums in a
   fixed order, so that the result does not depend on which block finishes last.

   x is aligned to 16 bytes. `sums` has one element per block, shared memory one element per thread. The counter
   `finished` is 0 before and after a launch. */

template <typename Real>
struct alignas(16) Pack {
    Real lane[16 / sizeof(Real)];
};

template <typename Real>
__device__ void add_up_block(Real *shared, Real mine)
{
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* if active is odd, the middle sum is kept */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] += shared[threadIdx.x + middle];
        active = middle;
    }
}

template <typename Real>
__device__ void add_up(long long n, const Real *__restrict__ x, Real *sums, unsigned *finished, Real *total)
{
    extern __shared__ double shared_memory[];
    Real *shared = reinterpret_cast<Real *>(shared_memory);
    const Pack<Real> *packs = reinterpret_cast<const Pack<Real> *>(x);
    const int width = 16 / sizeof(Real);
    const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x, grid = (long long)gridDim.x * blockDim.x;
    Real lane[width] = {}, mine = 0;
    // idea: 16 bytes per load
#pragma unroll 4 /* number of loads in flight */
    for (long long i = first; i < n / width; i += grid)
        for (int k = 0; k < width; k++)
            lane[k] += packs[i].lane[k];
    // end of idea
    for (int k = 0; k < width; k++)
        mine += lane[k];
    for (long long i = n - n % width + first; i < n; i += grid)
        mine += x[i];
    add_up_block(shared, mine);
    bool last = false;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = shared[0];
        __threadfence(); /* make the sum visible before the counter changes */
        last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    if (__syncthreads_or(last)) {
        mine = 0;
        for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x)
            mine += sums[block];
        add_up_block(shared, mine);
        if (threadIdx.x == 0)
            *total = shared[0];
    }
}

#define DEFINE_VECTOR_SUM(Real, dtype)                                                                       \
    extern "C" __global__ void vector_sum_##dtype(long long n, const Real *__restrict__ x, Real *sums,       \
                                                  unsigned *finished, Real *total)                           \
    {                                                                                                        \
        add_up(n, x, sums, finished, total);                                                                 \
    }

DEFINE_VECTOR_SUM(double, float64)
DEFINE_VECTOR_SUM(float, float32)
