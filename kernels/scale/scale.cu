/* y = factor * x, one thread per element. */

template <typename real>
__device__ void scale(long long n, real factor, const real *x, real *y)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        y[i] = factor * x[i];
}

#define DEFINE_SCALE(real, dtype)                                                              \
    extern "C" __global__ void scale_##dtype(long long n, real factor, const real *x, real *y) \
    {                                                                                          \
        scale(n, factor, x, y);                                                                \
    }

DEFINE_SCALE(double, float64)
DEFINE_SCALE(float, float32)
