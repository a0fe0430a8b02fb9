/* out = sin(x)^2 + cos(x)^2, one thread per element. */

template <typename real>
__device__ void trig(long long n, const real *x, real *out)
{
    const long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        out[i] = sin(x[i]) * sin(x[i]) + cos(x[i]) * cos(x[i]);
}

#define DEFINE_ELEMENTWISE_TRIG(real, dtype)                                                   \
    extern "C" __global__ void elementwise_trig_##dtype(long long n, const real *x, real *out) \
    {                                                                                          \
        trig(n, x, out);                                                                       \
    }

DEFINE_ELEMENTWISE_TRIG(double, float64)
DEFINE_ELEMENTWISE_TRIG(float, float32)
