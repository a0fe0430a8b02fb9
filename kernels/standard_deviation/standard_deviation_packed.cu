/* Standard deviation in a single launch and pass, shifted by the first element: threads add up packs of 16 bytes a
   whole grid apart. Each block adds up its threads' sums as a tree in shared memory, and the block that finishes last
   adds up the blocks' sums, in a fixed order, so that the result does not depend on which block that is.

   x begins at a multiple of 16 bytes. sums: two per block. finished: 0 before and after. Shared memory: two doubles per
   thread. */

template <typename Real>
struct alignas(16) Pack {
    Real lane[16 / sizeof(Real)];
};

struct Sums {
    double plain, squares;
};

__device__ void add(Sums &sums, const Sums &others)
{
    sums.plain += others.plain;
    sums.squares += others.squares;
}

__device__ Sums shifted(double number, double origin)
{
    return {number - origin, (number - origin) * (number - origin)};
}

__device__ void add_up_block(Sums *shared, const Sums &mine)
{
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* the upper half onto the lower; an odd one out waits */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            add(shared[threadIdx.x], shared[threadIdx.x + middle]);
        active = middle;
    }
}

template <typename Real>
__device__ void standard_deviation(long long n, const Real *__restrict__ x, Sums *sums, unsigned *finished,
                                   Real *deviation)
{
    extern __shared__ double shared_memory[];
    Sums *shared = reinterpret_cast<Sums *>(shared_memory), mine = {0, 0};
    const Pack<Real> *packs = reinterpret_cast<const Pack<Real> *>(x);
    const int width = 16 / sizeof(Real);
    const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x, grid = (long long)gridDim.x * blockDim.x;
    const double origin = n > 0 ? x[0] : 0;
    // idea: both sums in one pass, 16 bytes a load
#pragma unroll 4 /* that many packs on their way at any time */
    for (long long i = first; i < n / width; i += grid)
        for (int k = 0; k < width; k++)
            add(mine, shifted(packs[i].lane[k], origin));
    // end of idea
    for (long long i = n - n % width + first; i < n; i += grid)
        add(mine, shifted(x[i], origin));
    add_up_block(shared, mine);
    bool last = false;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = shared[0];
        __threadfence(); /* the sums are there before the count says so */
        last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    if (__syncthreads_or(last)) {
        mine = {0, 0};
        for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x)
            add(mine, sums[block]);
        add_up_block(shared, mine);
        if (threadIdx.x == 0)
            *deviation = sqrt(shared[0].squares / n - shared[0].plain / n * (shared[0].plain / n));
    }
}

#define DEFINE_STANDARD_DEVIATION(Real, dtype)                                                                 \
    extern "C" __global__ void standard_deviation_##dtype(long long n, const Real *__restrict__ x, Sums *sums, \
                                                          unsigned *finished, Real *deviation)                 \
    {                                                                                                          \
        standard_deviation(n, x, sums, finished, deviation);                                                   \
    }

DEFINE_STANDARD_DEVIATION(double, float64)
DEFINE_STANDARD_DEVIATION(float, float32)
