/* Compute out = a b for matrices of n rows, without tiles. One thread per element of the product reads a row of a and a
   column of b from global memory. Threads along x read the same row of a and neighbouring columns of b. */

template <typename real>
__device__ void multiply(long long n, const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ out)
{
    const long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;
    real sum = 0;
    for (long long k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    out[row * n + column] = sum;
}

#define DEFINE_MATMUL(type, dtype)                                                                                     \
    extern "C" __global__ void matmul_##dtype(long long n, const type *a, const type *b, type *out)                    \
    {                                                                                                                  \
        multiply(n, a, b, out);                                                                                        \
    }

DEFINE_MATMUL(double, float64)
DEFINE_MATMUL(float, float32)
