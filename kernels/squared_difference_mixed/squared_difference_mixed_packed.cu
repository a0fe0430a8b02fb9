/* out = (x - y)^2, x of whole numbers, one thread per 16 bytes of y and of the result, and the elements of x for them:
   single floats keep too little memory traffic in flight to saturate the memory. Arrays begin at multiples of 16. */

template <typename number, int width> struct alignas(width * sizeof(number)) Vector {
    number part[width];
};

template <typename real> __device__ real square(real number)
{
    return number * number;
}

template <typename real>
__device__ void squared_difference(long long n, const short *__restrict__ x, const real *__restrict__ y,
                                   real *__restrict__ out)
{
    constexpr int width = 16 / sizeof(real);
    using Reals = Vector<real, width>;
    using Shorts = Vector<short, width>;
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = thread * width;
    if (first + width <= n) {
        // idea: 16 bytes of y and of the result at once
        const Shorts xs = ((const Shorts *)x)[thread];
        const Reals ys = ((const Reals *)y)[thread];
        Reals squares;
        for (int k = 0; k < width; k++)
            squares.part[k] = square(xs.part[k] - ys.part[k]);
        ((Reals *)out)[thread] = squares;
        // end of idea
    } else
        for (int k = 0; k < width; k++)
            if (first + k < n)
                out[first + k] = square(x[first + k] - y[first + k]);
}

#define DEFINE_SQUARED_DIFFERENCE_MIXED(type, dtype)                                                                   \
    extern "C" __global__ void squared_difference_mixed_##dtype(long long n, const short *x, const type *y, type *out) \
    {                                                                                                                  \
        squared_difference(n, x, y, out);                                                                              \
    }

DEFINE_SQUARED_DIFFERENCE_MIXED(double, float64)
DEFINE_SQUARED_DIFFERENCE_MIXED(float, float32)
