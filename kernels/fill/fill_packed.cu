/* out = 1, one thread per 16 bytes: single floats keep too little memory traffic in flight to saturate the memory. The
   array begins at a multiple of 16 bytes. */

template <typename real> struct alignas(16) Vector {
    real part[16 / sizeof(real)];
};

template <typename real>
__device__ void fill(long long n, real *out)
{
    constexpr int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = thread * width;
    if (first + width <= n) {
        Vector<real> ones;
        for (int k = 0; k < width; k++)
            ones.part[k] = 1;
        ((Vector<real> *)out)[thread] = ones;
    } else
        for (int k = 0; k < width; k++)
            if (first + k < n)
                out[first + k] = 1;
}

#define DEFINE_FILL(type, dtype)                                                                                       \
    extern "C" __global__ void fill_##dtype(long long n, type *out)                                                    \
    {                                                                                                                  \
        fill(n, out);                                                                                                  \
    }

DEFINE_FILL(double, float64)
DEFINE_FILL(float, float32)
