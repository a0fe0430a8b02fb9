/* Mean of each point of a grid of n rows and its four neighbours, one thread per point; the border keeps its values. */

template <typename real>
__device__ void stencil(long long n, const real *x, real *out)
{
    const long long column = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    const long long row = (long long)blockDim.y * blockIdx.y + threadIdx.y, i = row * n + column;
    if (row >= n || column >= n)
        return;
    if (row == 0 || row == n - 1 || column == 0 || column == n - 1)
        out[i] = x[i];
    else
        out[i] = (x[i] + x[i - n] + x[i + n] + x[i - 1] + x[i + 1]) * (real)0.2;
}

#define DEFINE_STENCIL(real, dtype)                                                   \
    extern "C" __global__ void stencil_##dtype(long long n, const real *x, real *out) \
    {                                                                                 \
        stencil(n, x, out);                                                           \
    }

DEFINE_STENCIL(double, float64)
DEFINE_STENCIL(float, float32)
