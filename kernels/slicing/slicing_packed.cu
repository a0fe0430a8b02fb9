/* Every third of x's rows, `rows` of them: a row of blocks for each, and one thread per 16 bytes of it where rows begin
   at multiples of 16 bytes, else for as many numbers a block's width apart. */

template <typename real> struct alignas(16) Vector {
    real part[16 / sizeof(real)];
};

template <typename real>
__device__ void slicing(long long rows, long long columns, const real *__restrict__ x, real *__restrict__ out)
{
    constexpr int width = 16 / sizeof(real);
    const long long row = blockIdx.y, thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const real *from = x + 3 * row * columns;
    real *to = out + row * columns;
    if (columns % width == 0) {
        if (thread < columns / width)
            ((Vector<real> *)to)[thread] = ((const Vector<real> *)from)[thread];
    } else {
        const long long start = (long long)blockIdx.x * blockDim.x * width + threadIdx.x;
        for (int k = 0; k < width; k++)
            if (start + k * blockDim.x < columns) /* neighbouring threads, neighbouring numbers */
                to[start + k * blockDim.x] = from[start + k * blockDim.x];
    }
}

#define DEFINE_SLICING(type, dtype)                                                                                    \
    extern "C" __global__ void slicing_##dtype(long long rows, long long columns, const type *x, type *out)            \
    {                                                                                                                  \
        slicing(rows, columns, x, out);                                                                                \
    }

DEFINE_SLICING(double, float64)
DEFINE_SLICING(float, float32)
