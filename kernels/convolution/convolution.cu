/* Convolution of n + taps - 1 inputs to n outputs.

   gather: one thread per output adds up its inputs; weights and signal are in global memory.
   constant: like gather, but with the weights in constant memory, where one read serves all threads of a warp. */

#define MOST_TAPS 2048 /* maximum number of taps; the weights of both types take 24 of 64 KiB of constant memory */

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
    }

DEFINE_CONVOLUTION(double, float64)
DEFINE_CONVOLUTION(float, float32)
