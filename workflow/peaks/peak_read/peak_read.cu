/* Sum of x, read as vectors of 16 bytes. A thread has several loads in flight, and adds up vectors with a stride of the
   grid's size. A block adds up its threads' sums. The block that finishes last adds up the blocks' sums.

   x is aligned to 16 bytes. Block sizes are powers of two. `sums` has an element per block, and shared memory an
   element per thread. `finished` is 0 before and after a launch. */

template <typename Real>
struct alignas(16) Pack {
    Real lane[16 / sizeof(Real)];
};

template <typename Real>
__device__ void add_up_block(Real *shared, Real mine)
{
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x / 2; active > 0; active /= 2) {
        __syncthreads();
        if (threadIdx.x < active)
            shared[threadIdx.x] += shared[threadIdx.x + active];
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
    // idea: 16 bytes per load, four loads in flight, with a stride of the grid's size
#pragma unroll 4
    for (long long i = first; i < n / width; i += grid) {
        const Pack<Real> pack = packs[i];
        for (int k = 0; k < width; k++)
            lane[k] += pack.lane[k];
    }
    // end of idea
    for (int k = 0; k < width; k++)
        mine += lane[k];
    for (long long i = n - n % width + first; i < n; i += grid)
        mine += x[i];
    add_up_block(shared, mine);
    bool last = false;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = shared[0];
        __threadfence(); /* make the sum visible before the count */
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

#define DEFINE_PEAK_READ(Real, dtype)                                                                 \
    extern "C" __global__ void peak_read_##dtype(long long n, const Real *__restrict__ x, Real *sums, \
                                                  unsigned *finished, Real *total)                    \
    {                                                                                                 \
        add_up(n, x, sums, finished, total);                                                          \
    }

DEFINE_PEAK_READ(double, float64)
DEFINE_PEAK_READ(float, float32)
