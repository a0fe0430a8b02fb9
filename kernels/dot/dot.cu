/* Dot product in two launches: dot stores one sum per block; add_up adds up these sums in one block. A thread adds up
   products with a stride of the grid's size. Then the block adds up its threads' sums as a tree in shared memory. */

template <typename Real> __device__ Real sum_of_block(Real mine)
{
    extern __shared__ double shared_memory[];
    Real *shared = reinterpret_cast<Real *>(shared_memory);
    // idea: the block adds up its threads' sums as a tree
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* if active is odd, the middle number stays */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] += shared[threadIdx.x + middle];
        active = middle;
    }
    // end of idea
    return shared[0]; /* complete for thread 0 only */
}

template <typename Real> __device__ void dot(long long n, const Real *x, const Real *y, Real *sums)
{
    // idea: a thread adds up elements with a stride of the grid's size
    Real mine = 0;
    for (long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        mine += x[i] * y[i];
    // end of idea
    const Real total = sum_of_block(mine);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

template <typename Real> __device__ void add_up(long long n, const Real *sums, Real *product)
{
    Real mine = 0;
    for (long long i = threadIdx.x; i < n; i += blockDim.x)
        mine += sums[i];
    const Real total = sum_of_block(mine);
    if (threadIdx.x == 0)
        *product = total;
}

#define DEFINE_DOT(Real, dtype)                                                                   \
    extern "C" __global__ void dot_##dtype(long long n, const Real *x, const Real *y, Real *sums) \
    {                                                                                             \
        dot(n, x, y, sums);                                                                       \
    }                                                                                             \
    extern "C" __global__ void add_up_##dtype(long long n, const Real *sums, Real *product)       \
    {                                                                                             \
        add_up(n, sums, product);                                                                 \
    }

DEFINE_DOT(double, float64)
DEFINE_DOT(float, float32)
