/* out = 1, one thread per element. */

template <typename real>
__device__ void fill(long long n, real *out)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = 1;
}

#define DEFINE_FILL(real, dtype)                                    \
    extern "C" __global__ void fill_##dtype(long long n, real *out) \
    {                                                               \
        fill(n, out);                                               \
    }

DEFINE_FILL(double, float64)
DEFINE_FILL(float, float32)
