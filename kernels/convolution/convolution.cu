/* Convolution of n + taps - 1 elements to n.

   gather: one thread per output collects its inputs; weights and signal come from global memory.
   constant: the same with the weights in constant memory, where one read serves all threads of a warp.
   tiled: the same, and the piece of the signal a block needs in shared memory (block size + taps - 1 elements).
   scatter: one thread per input adds it to the outputs that need it, atomically; they are 0 before. */

#define MOST_TAPS 2048 /* 24 KiB of 64 KiB of constant memory for both types */

extern "C" {
__constant__ double convolution_weights_float64[MOST_TAPS];
__constant__ float convolution_weights_float32[MOST_TAPS];
}

// idea: each output gathers its inputs
template <typename Real>
__device__ Real inner_product(const Real *weights, const Real *last, int taps)
{
    Real sum = 0;
#pragma unroll 8
    for (int k = 0; k < taps; k++)
        sum += weights[k] * last[-k];
    return sum;
}
// end of idea

template <typename Real>
__device__ const Real *bring_tile(long long n, int taps, const Real *__restrict__ x)
{
    extern __shared__ double shared_memory[];
    Real *tile = reinterpret_cast<Real *>(shared_memory);
    const int me = threadIdx.x, size = blockDim.x;
    const long long start = (long long)blockIdx.x * size;
    for (int j = me; j < size + taps - 1 && start + j < n + taps - 1; j += size)
        tile[j] = x[start + j];
    __syncthreads();
    return tile;
}

template <typename Real>
__device__ void scatter(long long j, long long n, int taps, const Real *__restrict__ x,
                        const Real *__restrict__ weights, Real *out)
{
    if (j >= n + taps - 1)
        return;
    const Real value = x[j];
    const long long first = j - (taps - 1);
    for (int k = 0; k < taps; k++)
        if (first + k >= 0 && first + k < n)
            atomicAdd(out + first + k, weights[k] * value);
}

#define DEFINE_CONVOLUTION(Real, dtype)                                                                                \
    extern "C" __global__ void convolution_gather_##dtype(long long n, int taps, const Real *__restrict__ x,           \
                                                          const Real *__restrict__ weights, Real *__restrict__ out)    \
    {                                                                                                                  \
        const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;                                          \
        if (i < n)                                                                                                     \
            out[i] = inner_product(weights, x + i + taps - 1, taps);                                                   \
    }                                                                                                                  \
    extern "C" __global__ void convolution_constant_##dtype(long long n, int taps, const Real *__restrict__ x,         \
                                                            Real *__restrict__ out)                                    \
    {                                                                                                                  \
        const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;                                          \
        if (i < n)                                                                                                     \
            out[i] = inner_product<Real>(convolution_weights_##dtype, x + i + taps - 1, taps);                         \
    }                                                                                                                  \
    extern "C" __global__ void convolution_tiled_##dtype(long long n, int taps, const Real *__restrict__ x,            \
                                                         Real *__restrict__ out)                                       \
    {                                                                                                                  \
        const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;                                          \
        const Real *tile = bring_tile(n, taps, x);                                                                     \
        if (i < n)                                                                                                     \
            out[i] = inner_product<Real>(convolution_weights_##dtype, tile + threadIdx.x + taps - 1, taps);            \
    }                                                                                                                  \
    extern "C" __global__ void convolution_scatter_##dtype(long long n, int taps, const Real *x, const Real *weights,  \
                                                           Real *out)                                                  \
    {                                                                                                                  \
        scatter((long long)blockIdx.x * blockDim.x + threadIdx.x, n, taps, x, weights, out);                           \
    }

DEFINE_CONVOLUTION(double, float64)
DEFINE_CONVOLUTION(float, float32)
