/* out = log(1 + exp(x)) without overflow or loss of digits, one thread per element. */

template <typename real>
__device__ void softplus(long long n, const real *x, real *out)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = (x[i] > 0 ? x[i] : 0) + log1p(exp(-fabs(x[i])));
}

#define DEFINE_SOFTPLUS(real, dtype)                                                   \
    extern "C" __global__ void softplus_##dtype(long long n, const real *x, real *out) \
    {                                                                                  \
        softplus(n, x, out);                                                           \
    }

DEFINE_SOFTPLUS(double, float64)
DEFINE_SOFTPLUS(float, float32)
