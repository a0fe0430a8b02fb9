/* Trace of a matrix of n rows by one block: each thread adds up every blockDim-th element of the diagonal, then the
   block adds those sums up as a tree in shared memory, an element per thread. */

template <typename Real>
__device__ void trace(long long n, const Real *__restrict__ a, Real *total)
{
    extern __shared__ double shared_memory[];
    Real *shared = reinterpret_cast<Real *>(shared_memory);
    Real mine = 0;
#pragma unroll 4 /* that many elements on their way at any time */
    for (long long i = threadIdx.x; i < n; i += blockDim.x)
        mine += a[i * (n + 1)];
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* the upper half onto the lower; an odd one out waits */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] += shared[threadIdx.x + middle];
        active = middle;
    }
    if (threadIdx.x == 0)
        *total = shared[0];
}

#define DEFINE_TRACE(Real, dtype)                                                                          \
    extern "C" __global__ void trace_##dtype(long long n, const Real *__restrict__ a, Real *total)         \
    {                                                                                                      \
        trace(n, a, total);                                                                                \
    }

DEFINE_TRACE(double, float64)
DEFINE_TRACE(float, float32)
