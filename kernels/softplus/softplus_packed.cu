/* Compute out = log(1 + exp(x)) without overflow or loss of digits, one thread per 16 bytes of each vector. One float
   per thread would not saturate the memory bandwidth. Arrays are aligned to 16 bytes. */

template <typename real> struct alignas(16) Vector {
    real part[16 / sizeof(real)];
};

template <typename real> __device__ real softplus(real x)
{
    return (x > 0 ? x : 0) + log1p(exp(-fabs(x)));
}

template <typename real>
__device__ void softplus(long long n, const real *__restrict__ x, real *__restrict__ out)
{
    constexpr int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = thread * width;
    if (first + width <= n) {
        // idea: load, compute and store 16 bytes at once
        Vector<real> vector = ((const Vector<real> *)x)[thread];
        for (int k = 0; k < width; k++)
            vector.part[k] = softplus(vector.part[k]);
        ((Vector<real> *)out)[thread] = vector;
        // end of idea
    } else
        for (int k = 0; k < width; k++)
            if (first + k < n)
                out[first + k] = softplus(x[first + k]);
}

#define DEFINE_SOFTPLUS(type, dtype)                                                                                   \
    extern "C" __global__ void softplus_##dtype(long long n, const type *x, type *out)                                 \
    {                                                                                                                  \
        softplus(n, x, out);                                                                                           \
    }

DEFINE_SOFTPLUS(double, float64)
DEFINE_SOFTPLUS(float, float32)
