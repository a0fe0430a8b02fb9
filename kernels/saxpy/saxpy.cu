/* out = a * x + y, one thread per element. */

template <typename real>
__device__ void saxpy(long long n, real a, const real *x, const real *y, real *out)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + y[i];
}

#define DEFINE_SAXPY(real, dtype)                                                                          \
    extern "C" __global__ void saxpy_##dtype(long long n, real a, const real *x, const real *y, real *out) \
    {                                                                                                      \
        saxpy(n, a, x, y, out);                                                                            \
    }

DEFINE_SAXPY(double, float64)
DEFINE_SAXPY(float, float32)
