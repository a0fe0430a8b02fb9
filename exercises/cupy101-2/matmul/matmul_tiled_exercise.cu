/* out = a b for matrices of n rows and n columns, stored row by row. A block of TILE x TILE threads computes a tile of
   the product from pairs of tiles of a and b. The threads load the tiles into shared memory together: each number is
   read from global memory once per block, not once per thread. */

#define TILE 16

template <typename real> __device__ void multiply(long long n, const real *a, const real *b, real *out)
{
    __shared__ real a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const long long row = (long long)blockIdx.y * TILE + y, column = (long long)blockIdx.x * TILE + x;
    real sum = 0;
    for (long long start = 0; start < n; start += TILE) {
        /* Load one number of each tile, or 0 outside the matrix. Multiply. When must threads wait for each other? */
    }
    if (row < n && column < n)
        out[row * n + column] = sum;
}

#define DEFINE_MATMUL(type, dtype)                                                                                     \
    extern "C" __global__ void matmul_##dtype(long long n, const type *a, const type *b, type *out)                    \
    {                                                                                                                  \
        multiply(n, a, b, out);                                                                                        \
    }

DEFINE_MATMUL(double, float64)
DEFINE_MATMUL(float, float32)
