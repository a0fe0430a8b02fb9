/* out = (x - y)^2, x of whole numbers, one thread per element. */

template <typename real>
__device__ void squared_difference(long long n, const short *x, const real *y, real *out)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = (x[i] - y[i]) * (x[i] - y[i]);
}

#define DEFINE_SQUARED_DIFFERENCE_MIXED(real, dtype)                                                                   \
    extern "C" __global__ void squared_difference_mixed_##dtype(long long n, const short *x, const real *y, real *out) \
    {                                                                                                                  \
        squared_difference(n, x, y, out);                                                                              \
    }

DEFINE_SQUARED_DIFFERENCE_MIXED(double, float64)
DEFINE_SQUARED_DIFFERENCE_MIXED(float, float32)
