/* z = a * x + b * y, one thread per 16 bytes of each vector: single floats keep too little memory traffic in flight to
   saturate the memory. Arrays begin at multiples of 16 bytes. */

template <typename real> struct alignas(16) Vector {
    real part[16 / sizeof(real)];
};

template <typename real>
__device__ void linear_combination(long long n, real a, const real *__restrict__ x, real b, const real *__restrict__ y,
                                   real *__restrict__ z)
{
    constexpr int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = thread * width;
    if (first + width <= n) {
        const Vector<real> xs = ((const Vector<real> *)x)[thread], ys = ((const Vector<real> *)y)[thread];
        Vector<real> sums;
        for (int k = 0; k < width; k++)
            sums.part[k] = a * xs.part[k] + b * ys.part[k];
        ((Vector<real> *)z)[thread] = sums;
    } else
        for (int k = 0; k < width; k++)
            if (first + k < n)
                z[first + k] = a * x[first + k] + b * y[first + k];
}

#define DEFINE_LINEAR_COMBINATION(type, dtype)                                                                         \
    extern "C" __global__ void linear_combination_##dtype(long long n, type a, const type *x, type b, const type *y,   \
                                                          type *z)                                                     \
    {                                                                                                                  \
        linear_combination(n, a, x, b, y, z);                                                                          \
    }

DEFINE_LINEAR_COMBINATION(double, float64)
DEFINE_LINEAR_COMBINATION(float, float32)
