/* SplitMix64 of a counter, as in random_fill.c, one thread per 16 bytes. Arrays begin at multiples of 16 bytes. */

typedef unsigned long long uint64;

template <typename real> struct alignas(16) Vector {
    real part[16 / sizeof(real)];
};

__device__ uint64 random_bits(uint64 k)
{
    uint64 z = (k + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

__device__ void set_unit(double &x, uint64 bits) { x = (bits >> 11) * 0x1p-53; }
__device__ void set_unit(float &x, uint64 bits) { x = (int)(bits >> 40) * 0x1p-24f; }

template <typename real> __device__ void random_fill(long long n, uint64 drawn, real *out)
{
    constexpr int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = thread * width;
    // idea: as many numbers as 16 bytes hold, stored at once
    Vector<real> numbers;
    for (int k = 0; k < width; k++)
        set_unit(numbers.part[k], random_bits(drawn + first + k));
    if (first + width <= n)
        ((Vector<real> *)out)[thread] = numbers;
    else
        for (int k = 0; k < width; k++)
            if (first + k < n)
                out[first + k] = numbers.part[k];
    // end of idea
}

#define DEFINE_RANDOM_FILL(type, dtype)                                                          \
    extern "C" __global__ void random_fill_##dtype(long long n, uint64 drawn, type *out)         \
    {                                                                                            \
        random_fill(n, drawn, out);                                                              \
    }

DEFINE_RANDOM_FILL(double, float64)
DEFINE_RANDOM_FILL(float, float32)
