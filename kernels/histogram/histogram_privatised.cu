/* How many numbers fall into each of `bins` equal parts of [0, 1). A block counts numbers a whole grid apart in a
   histogram of its own, in shared memory, and adds that to the whole one. */

template <typename Real>
__device__ void histogram(long long n, int bins, const Real *x, int *counts)
{
    extern __shared__ int of_block[];
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
        of_block[bin] = 0;
    __syncthreads();
    for (long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        atomicAdd(of_block + (int)(x[i] * bins), 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
        atomicAdd(counts + bin, of_block[bin]);
}

#define DEFINE_HISTOGRAM(Real, dtype)                                                                          \
    extern "C" __global__ void histogram_privatised_##dtype(long long n, int bins, const Real *x, int *counts) \
    {                                                                                                          \
        histogram(n, bins, x, counts);                                                                         \
    }

DEFINE_HISTOGRAM(double, float64)
DEFINE_HISTOGRAM(float, float32)
