/* out = sin(x)^2 + cos(x)^2, one thread per 16 bytes of each vector: one float per thread does not saturate the memory
   bandwidth. Arrays are aligned to 16 bytes. */

template <typename real> struct alignas(16) Vector {
    real part[16 / sizeof(real)];
};

template <typename real> __device__ real trig(real x)
{
    return sin(x) * sin(x) + cos(x) * cos(x);
}

template <typename real>
__device__ void trig(long long n, const real *__restrict__ x, real *__restrict__ out)
{
    constexpr int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = thread * width;
    if (first + width <= n) {
        // idea: load, compute and store 16 bytes at once
        Vector<real> vector = ((const Vector<real> *)x)[thread];
        for (int k = 0; k < width; k++)
            vector.part[k] = trig(vector.part[k]);
        ((Vector<real> *)out)[thread] = vector;
        // end of idea
    } else
        for (int k = 0; k < width; k++)
            if (first + k < n)
                out[first + k] = trig(x[first + k]);
}

#define DEFINE_ELEMENTWISE_TRIG(type, dtype)                                                                           \
    extern "C" __global__ void elementwise_trig_##dtype(long long n, const type *x, type *out)                         \
    {                                                                                                                  \
        trig(n, x, out);                                                                                               \
    }

DEFINE_ELEMENTWISE_TRIG(double, float64)
DEFINE_ELEMENTWISE_TRIG(float, float32)
