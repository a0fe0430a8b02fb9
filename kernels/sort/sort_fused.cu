/* A bitonic network, as in sort.cu, whose steps within a tile, two numbers per thread, share a launch, in shared
   memory. The size of a block is a power of two. */

template <typename Real>
__device__ void order(Real *numbers, long long n, long long pair, long long stride, bool mirrored)
{
    const long long low = 2 * pair - (pair & (stride - 1)), high = low ^ (mirrored ? 2 * stride - 1 : stride);
    if (high < n && numbers[low] > numbers[high]) {
        const Real larger = numbers[low];
        numbers[low] = numbers[high];
        numbers[high] = larger;
    }
}

template <typename Real> __device__ void sort_tile(long long n, int sorted, const Real *from, Real *to)
{
    extern __shared__ double shared_memory[];
    Real *const tile = reinterpret_cast<Real *>(shared_memory);
    const long long first = 2LL * blockDim.x * blockIdx.x;
    const int count = n - first < 2 * blockDim.x ? n - first : 2 * blockDim.x;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        tile[i] = from[first + i];
    // idea: a tile is sorted, or, if it lies within runs that are being merged, merged to the end, in shared memory
    for (int run = sorted ? blockDim.x : 1; run <= blockDim.x; run *= 2)
        for (int stride = run; stride > 0; stride /= 2) {
            __syncthreads();
            order(tile, count, threadIdx.x, stride, !sorted && stride == run);
        }
    // end of idea
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        to[first + i] = tile[i];
}

#define DEFINE_SORT(Real, dtype)                                                                             \
    extern "C" __global__ void sort_tile_##dtype(long long n, int sorted, const Real *from, Real *to)        \
    {                                                                                                        \
        sort_tile(n, sorted, from, to);                                                                      \
    }                                                                                                        \
    extern "C" __global__ void sort_step_##dtype(long long n, long long stride, int mirrored, Real *numbers) \
    {                                                                                                        \
        order(numbers, n, (long long)blockIdx.x * blockDim.x + threadIdx.x, stride, mirrored);               \
    }

DEFINE_SORT(double, float64)
DEFINE_SORT(float, float32)
