/* Every third of x's rows, `rows` of them: a row of blocks for each, one thread per element. */

template <typename real>
__device__ void slicing(long long rows, long long columns, const real *x, real *out)
{
    const long long i = blockIdx.y, j = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    if (i < rows && j < columns)
        out[i * columns + j] = x[3 * i * columns + j];
}

#define DEFINE_SLICING(real, dtype)                                                                         \
    extern "C" __global__ void slicing_##dtype(long long rows, long long columns, const real *x, real *out) \
    {                                                                                                       \
        slicing(rows, columns, x, out);                                                                     \
    }

DEFINE_SLICING(double, float64)
DEFINE_SLICING(float, float32)
