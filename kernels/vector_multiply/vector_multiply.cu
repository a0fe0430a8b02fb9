/* out = x * y, one thread per element. */

template <typename real>
__device__ void multiply(long long n, const real *x, const real *y, real *out)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = x[i] * y[i];
}

#define DEFINE_VECTOR_MULTIPLY(real, dtype)                                                                  \
    extern "C" __global__ void vector_multiply_##dtype(long long n, const real *x, const real *y, real *out) \
    {                                                                                                        \
        multiply(n, x, y, out);                                                                              \
    }

DEFINE_VECTOR_MULTIPLY(double, float64)
DEFINE_VECTOR_MULTIPLY(float, float32)
