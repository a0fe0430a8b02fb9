/* The elements above 0.5, then zeros, as the textbook has it, one thread per element. Flags say what is kept; their
   scan says how many are kept up to each element. By that number, each is scattered to its place, or leaves a zero at
   the end.

   scan: each block scans its flags by doubling and leaves their sum. The blocks' sums are scanned likewise, then added:
   each block adds the sum of those before it. Shared memory: 8 bytes a thread. */

template <typename Real> __device__ void flag(long long n, const Real *x, long long *kept)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        kept[i] = x[i] > (Real)0.5;
}

extern "C" __global__ void scan(long long n, long long *kept, long long *sums)
{
    extern __shared__ double shared_memory[];
    long long *shared = reinterpret_cast<long long *>(shared_memory);
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    const int me = threadIdx.x, size = blockDim.x;
    shared[me] = i < n ? kept[i] : 0;
    for (int distance = 1; distance < size; distance *= 2) {
        __syncthreads();
        const long long before = me >= distance ? shared[me - distance] : 0;
        __syncthreads();
        shared[me] += before;
    }
    if (i < n)
        kept[i] = shared[me];
    if (me == size - 1)
        sums[blockIdx.x] = shared[me];
}

extern "C" __global__ void add(long long n, long long *kept, const long long *sums)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n && blockIdx.x > 0)
        kept[i] += sums[blockIdx.x - 1];
}

template <typename Real>
__device__ void scatter(long long n, const Real *x, const long long *kept, Real *out, long long *count)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    // idea: the number kept up to it is its place; the number dropped, that of a zero from the end
    if (i < n && x[i] > (Real)0.5)
        out[kept[i] - 1] = x[i];
    else if (i < n)
        out[n - 1 - (i - kept[i])] = 0;
    // end of idea
    if (i == 0)
        *count = n > 0 ? kept[n - 1] : 0;
}

#define DEFINE_COMPACT(Real, dtype)                                                                          \
    extern "C" __global__ void flag_##dtype(long long n, const Real *x, long long *kept)                     \
    {                                                                                                        \
        flag(n, x, kept);                                                                                    \
    }                                                                                                        \
    extern "C" __global__ void scatter_##dtype(long long n, const Real *x, const long long *kept, Real *out, \
                                               long long *count)                                             \
    {                                                                                                        \
        scatter(n, x, kept, out, count);                                                                     \
    }

DEFINE_COMPACT(double, float64)
DEFINE_COMPACT(float, float32)
