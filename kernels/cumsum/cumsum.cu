/* Cumulative sum by the textbook's scan (Hillis and Steele). Each block scans its elements by doubling, one element per
   thread, and stores their sum. The blocks' sums are scanned in the same way. Then each block adds the sum of the
   blocks before it to its elements. Shared memory has one element per thread. */

template <typename Real> __device__ void scan(long long n, const Real *x, Real *out, Real *sums)
{
    extern __shared__ double shared_memory[];
    Real *shared = reinterpret_cast<Real *>(shared_memory);
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    const int me = threadIdx.x, size = blockDim.x;
    // idea: each round doubles the number of elements added up in shared[me]
    shared[me] = i < n ? x[i] : 0;
    for (int distance = 1; distance < size; distance *= 2) {
        __syncthreads();
        const Real before = me >= distance ? shared[me - distance] : 0;
        __syncthreads();
        shared[me] += before;
    }
    // end of idea
    if (i < n)
        out[i] = shared[me];
    if (me == size - 1)
        sums[blockIdx.x] = shared[me];
}

template <typename Real> __device__ void add(long long n, Real *out, const Real *sums)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        out[i] += sums[blockIdx.x - 1];
}

#define DEFINE_CUMSUM(Real, dtype)                                                             \
    extern "C" __global__ void scan_##dtype(long long n, const Real *x, Real *out, Real *sums) \
    {                                                                                          \
        scan(n, x, out, sums);                                                                 \
    }                                                                                          \
    extern "C" __global__ void add_##dtype(long long n, Real *out, const Real *sums)           \
    {                                                                                          \
        add(n, out, sums);                                                                     \
    }

DEFINE_CUMSUM(double, float64)
DEFINE_CUMSUM(float, float32)
