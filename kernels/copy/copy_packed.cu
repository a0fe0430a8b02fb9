/* out = x, one thread per 16 bytes of each vector: one float per thread does not saturate the memory bandwidth. Arrays
   are aligned to 16 bytes. */

template <typename real> struct alignas(16) Vector {
    real part[16 / sizeof(real)];
};

template <typename real>
__device__ void copy(long long n, const real *__restrict__ x, real *__restrict__ out)
{
    constexpr int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = thread * width;
    if (first + width <= n)
        ((Vector<real> *)out)[thread] = ((const Vector<real> *)x)[thread];
    else
        for (int k = 0; k < width; k++)
            if (first + k < n)
                out[first + k] = x[first + k];
}

#define DEFINE_COPY(type, dtype)                                                                                       \
    extern "C" __global__ void copy_##dtype(long long n, const type *x, type *out)                                     \
    {                                                                                                                  \
        copy(n, x, out);                                                                                               \
    }

DEFINE_COPY(double, float64)
DEFINE_COPY(float, float32)
