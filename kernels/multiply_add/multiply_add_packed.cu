/* out = x1 * x2 + b, one thread per 16 bytes of each vector: single floats keep too little memory traffic in flight to
   saturate the memory. Arrays begin at multiples of 16 bytes. */

template <typename real> struct alignas(16) Vector {
    real part[16 / sizeof(real)];
};

template <typename real>
__device__ void multiply_add(long long n, const real *__restrict__ x1, const real *__restrict__ x2, real b,
                             real *__restrict__ out)
{
    constexpr int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = thread * width;
    if (first + width <= n) {
        const Vector<real> x1s = ((const Vector<real> *)x1)[thread], x2s = ((const Vector<real> *)x2)[thread];
        Vector<real> results;
        for (int k = 0; k < width; k++)
            results.part[k] = x1s.part[k] * x2s.part[k] + b;
        ((Vector<real> *)out)[thread] = results;
    } else
        for (int k = 0; k < width; k++)
            if (first + k < n)
                out[first + k] = x1[first + k] * x2[first + k] + b;
}

#define DEFINE_MULTIPLY_ADD(type, dtype)                                                                               \
    extern "C" __global__ void multiply_add_##dtype(long long n, const type *x1, const type *x2, type b, type *out)    \
    {                                                                                                                  \
        multiply_add(n, x1, x2, b, out);                                                                               \
    }

DEFINE_MULTIPLY_ADD(double, float64)
DEFINE_MULTIPLY_ADD(float, float32)
