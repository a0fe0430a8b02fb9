/* out = x + y, one thread per element. */

template <typename real>
__device__ void vector_add(long long n, const real *x, const real *y, real *out)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = x[i] + y[i];
}

#define DEFINE_VECTOR_ADD(real, dtype)                                                                  \
    extern "C" __global__ void vector_add_##dtype(long long n, const real *x, const real *y, real *out) \
    {                                                                                                   \
        vector_add(n, x, y, out);                                                                       \
    }

DEFINE_VECTOR_ADD(double, float64)
DEFINE_VECTOR_ADD(float, float32)
