/* Standard deviation in two passes of two launches each: add_up leaves a sum per block, of the numbers or of the
   squares of their differences from *mean; average, in one block, divides the sum of these by n. Shared memory: a
   double per thread. */

__device__ double sum_of_block(double mine)
{
    extern __shared__ double shared[];
    shared[threadIdx.x] = mine;
    for (unsigned active = blockDim.x; active > 1;) { /* the upper half onto the lower; an odd one out waits */
        const unsigned middle = (active + 1) / 2;
        __syncthreads();
        if (threadIdx.x < active - middle)
            shared[threadIdx.x] += shared[threadIdx.x + middle];
        active = middle;
    }
    return shared[0]; /* which thread 0 knows to be complete */
}

template <typename Real>
__device__ void add_up(long long n, const Real *x, const double *mean, int squared, double *sums)
{
    double mine = 0;
    // idea: a thread adds up what lies a whole grid apart, then the block its threads' sums
    for (long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
        mine += squared ? (x[i] - *mean) * (x[i] - *mean) : x[i];
    const double sum = sum_of_block(mine);
    // end of idea
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

template <typename Real>
__device__ void average(long long n, long long blocks, const double *sums, double *mean, Real *deviation)
{
    double mine = 0;
    for (long long i = threadIdx.x; i < blocks; i += blockDim.x)
        mine += sums[i];
    const double sum = sum_of_block(mine);
    if (threadIdx.x == 0) {
        *mean = sum / n;
        *deviation = sqrt(*mean);
    }
}

#define DEFINE_STANDARD_DEVIATION(Real, dtype)                                                                  \
    extern "C" __global__ void add_up_##dtype(long long n, const Real *x, const double *mean, int squared,      \
                                              double *sums)                                                     \
    {                                                                                                           \
        add_up(n, x, mean, squared, sums);                                                                      \
    }                                                                                                           \
    extern "C" __global__ void average_##dtype(long long n, long long blocks, const double *sums, double *mean, \
                                               Real *deviation)                                                 \
    {                                                                                                           \
        average(n, blocks, sums, mean, deviation);                                                              \
    }

DEFINE_STANDARD_DEVIATION(double, float64)
DEFINE_STANDARD_DEVIATION(float, float32)
