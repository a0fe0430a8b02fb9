/* out = x1 * x2 + b, one thread per element. */

template <typename real>
__device__ void multiply_add(long long n, const real *x1, const real *x2, real b, real *out)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = x1[i] * x2[i] + b;
}

#define DEFINE_MULTIPLY_ADD(real, dtype)                                                                 \
    extern "C" __global__ void multiply_add_##dtype(long long n, const real *x1, const real *x2, real b, \
                                                    real *out)                                           \
    {                                                                                                    \
        multiply_add(n, x1, x2, b, out);                                                                 \
    }

DEFINE_MULTIPLY_ADD(double, float64)
DEFINE_MULTIPLY_ADD(float, float32)
