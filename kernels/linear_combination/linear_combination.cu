/* z = a * x + b * y, one thread per element. */

template <typename real>
__device__ void linear_combination(long long n, real a, const real *x, real b, const real *y, real *z)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        z[i] = a * x[i] + b * y[i];
}

#define DEFINE_LINEAR_COMBINATION(real, dtype)                                                        \
    extern "C" __global__ void linear_combination_##dtype(long long n, real a, const real *x, real b, \
                                                          const real *y, real *z)                     \
    {                                                                                                 \
        linear_combination(n, a, x, b, y, z);                                                         \
    }

DEFINE_LINEAR_COMBINATION(double, float64)
DEFINE_LINEAR_COMBINATION(float, float32)
