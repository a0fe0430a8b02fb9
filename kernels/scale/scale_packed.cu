/* Compute y = factor * x, one thread per 16 bytes of each vector, since one float per thread does not saturate the
   memory bandwidth. Arrays are aligned to 16 bytes. */

template <typename real> struct alignas(16) Vector {
    real part[16 / sizeof(real)];
};

template <typename real>
__device__ void scale(long long n, real factor, const real *__restrict__ x, real *__restrict__ y)
{
    constexpr int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = thread * width;
    if (first + width <= n) {
        Vector<real> numbers = ((const Vector<real> *)x)[thread];
        for (int k = 0; k < width; k++)
            numbers.part[k] *= factor;
        ((Vector<real> *)y)[thread] = numbers;
    } else
        for (int k = 0; k < width; k++)
            if (first + k < n)
                y[first + k] = factor * x[first + k];
}

#define DEFINE_SCALE(type, dtype)                                                                                      \
    extern "C" __global__ void scale_##dtype(long long n, type factor, const type *x, type *y)                         \
    {                                                                                                                  \
        scale(n, factor, x, y);                                                                                        \
    }

DEFINE_SCALE(double, float64)
DEFINE_SCALE(float, float32)
