/* Transposition of a matrix of n rows, one thread per element: rows are read along, and columns written. */

template <typename Real>
__device__ void transpose(long long n, const Real *x, Real *out)
{
    const long long j = (long long)blockDim.x * blockIdx.x + threadIdx.x;
    const long long i = (long long)blockDim.y * blockIdx.y + threadIdx.y;
    if (i < n && j < n)
        out[j * n + i] = x[i * n + j];
}

#define DEFINE_TRANSPOSE(Real, dtype)                                                   \
    extern "C" __global__ void transpose_##dtype(long long n, const Real *x, Real *out) \
    {                                                                                   \
        transpose(n, x, out);                                                           \
    }

DEFINE_TRANSPOSE(double, float64)
DEFINE_TRANSPOSE(float, float32)
