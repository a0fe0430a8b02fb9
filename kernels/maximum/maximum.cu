/* Find the largest number of a vector. Each thread compares elements with a stride of the grid's size. Then each block
   finds the largest of its threads' maxima by a tree in shared memory, one element per thread. A second launch, with
   one block, finds the largest of the blocks' maxima. */

template <typename Real> __device__ void maximum(long long n, const Real *x, Real lowest, Real *maxima)
{
    extern __shared__ double shared_memory[];
    Real *shared = reinterpret_cast<Real *>(shared_memory);
    Real mine = lowest;
    // idea: a thread compares elements with a stride of the grid's size; a block compares its threads' maxima by a tree
    for (long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        mine = max(mine, x[i]);
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* if active is odd, the middle number stays */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] = max(shared[threadIdx.x], shared[threadIdx.x + middle]);
        active = middle;
    }
    // end of idea
    if (threadIdx.x == 0)
        maxima[blockIdx.x] = shared[0];
}

/* The start values are -DBL_MAX and -FLT_MAX. Run-time compilers lack float.h, which defines these names. */
#define DEFINE_MAXIMUM(Real, dtype, lowest)                                              \
    extern "C" __global__ void maximum_##dtype(long long n, const Real *x, Real *maxima) \
    {                                                                                    \
        maximum<Real>(n, x, lowest, maxima);                                             \
    }

DEFINE_MAXIMUM(double, float64, -1.7976931348623157e308)
DEFINE_MAXIMUM(float, float32, -3.40282347e38f)
