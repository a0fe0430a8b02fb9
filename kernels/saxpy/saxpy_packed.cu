/* Compute out = a * x + y, one thread per 16 bytes of each vector, since one float per thread does not saturate the
   memory bandwidth. Arrays are aligned to 16 bytes. */

template <typename real> struct alignas(16) Vector {
    real part[16 / sizeof(real)];
};

template <typename real>
__device__ void saxpy(long long n, real a, const real *__restrict__ x, const real *__restrict__ y,
                      real *__restrict__ out)
{
    constexpr int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = thread * width;
    if (first + width <= n) {
        const Vector<real> xs = ((const Vector<real> *)x)[thread], ys = ((const Vector<real> *)y)[thread];
        Vector<real> sums;
        for (int k = 0; k < width; k++)
            sums.part[k] = a * xs.part[k] + ys.part[k];
        ((Vector<real> *)out)[thread] = sums;
    } else
        for (int k = 0; k < width; k++)
            if (first + k < n)
                out[first + k] = a * x[first + k] + y[first + k];
}

#define DEFINE_SAXPY(type, dtype)                                                                                      \
    extern "C" __global__ void saxpy_##dtype(long long n, type a, const type *x, const type *y, type *out)             \
    {                                                                                                                  \
        saxpy(n, a, x, y, out);                                                                                        \
    }

DEFINE_SAXPY(double, float64)
DEFINE_SAXPY(float, float32)
