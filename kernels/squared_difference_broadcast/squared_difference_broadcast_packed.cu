/* out = (x - y)^2 for each row of x, with the same y, one thread per 16 bytes of x: where those belong to one row, from
   one place of y, else number by number. x has n = rows * columns elements. Arrays begin at multiples of 16 bytes. */

template <typename real> struct alignas(16) Vector {
    real part[16 / sizeof(real)];
};

template <typename real> __device__ real square(real number)
{
    return number * number;
}

template <typename real>
__device__ void squared_difference(long long n, long long columns, const real *__restrict__ x,
                                   const real *__restrict__ y, real *__restrict__ out)
{
    constexpr int width = 16 / sizeof(real);
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = thread * width;
    if (first + width <= n && columns % width == 0) {
        const Vector<real> xs = ((const Vector<real> *)x)[thread];
        const Vector<real> ys = *(const Vector<real> *)(y + first % columns);
        Vector<real> squares;
        for (int k = 0; k < width; k++)
            squares.part[k] = square(xs.part[k] - ys.part[k]);
        ((Vector<real> *)out)[thread] = squares;
    } else
        for (int k = 0; k < width; k++)
            if (first + k < n)
                out[first + k] = square(x[first + k] - y[(first + k) % columns]);
}

#define DEFINE_SQUARED_DIFFERENCE_BROADCAST(type, dtype)                                                               \
    extern "C" __global__ void squared_difference_broadcast_##dtype(long long n, long long columns, const type *x,     \
                                                                    const type *y, type *out)                          \
    {                                                                                                                  \
        squared_difference(n, columns, x, y, out);                                                                     \
    }

DEFINE_SQUARED_DIFFERENCE_BROADCAST(double, float64)
DEFINE_SQUARED_DIFFERENCE_BROADCAST(float, float32)
