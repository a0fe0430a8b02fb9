/* Sum of a vector. Each thread adds up elements with a stride of the grid's size. Then the block adds up its threads'
   sums as a tree in shared memory (one element per thread). A second launch, of one block, adds up the blocks' sums. */

template <typename Real> __device__ void vector_sum(long long n, const Real *x, Real *sums)
{
    extern __shared__ double shared_memory[];
    Real *shared = reinterpret_cast<Real *>(shared_memory);
    Real mine = 0;
    // idea: each thread adds up strided elements, then the block adds up its threads' sums as a tree
    for (long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        mine += x[i];
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* if active is odd, the middle sum is kept */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] += shared[threadIdx.x + middle];
        active = middle;
    }
    // end of idea
    if (threadIdx.x == 0)
        sums[blockIdx.x] = shared[0];
}

#define DEFINE_VECTOR_SUM(Real, dtype)                                                    \
    extern "C" __global__ void vector_sum_##dtype(long long n, const Real *x, Real *sums) \
    {                                                                                     \
        vector_sum<Real>(n, x, sums);                                                     \
    }

DEFINE_VECTOR_SUM(double, float64)
DEFINE_VECTOR_SUM(float, float32)
