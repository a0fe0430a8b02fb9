/* Compute out = a b for matrices of n rows, with tiles in shared memory. A block of BX x BY threads computes BX columns
   and EACH * BY rows of the product. Together the threads load strips of a and b, DEPTH deep, into shared memory.
   There, the block uses each number of a for BX columns, and each number of b for EACH * BY rows. A thread reads a
   number of b once for its EACH elements of a column. With two reads of shared memory for each product, arithmetic
   would wait. All threads with the same y read the same numbers of a, 16 bytes at a time. The rows of the strip of a
   are padded by 16 bytes to avoid bank conflicts between two rows. Indices of rows and columns are int, since no
   memory holds a matrix of more than 2**31 rows. */

#define DEPTH 32
#define EACH 4

template <typename real, int BX, int BY>
__device__ void multiply(int n, const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ out)
{
    static_assert(DEPTH % BX == 0 && DEPTH % BY == 0, "threads share the strips without remainder");
    alignas(16) __shared__ real a_strip[EACH * BY][DEPTH + 16 / sizeof(real)], b_strip[DEPTH][BX];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * BX + x, top = blockIdx.y * EACH * BY + y;
    real sum[EACH] = {};
    // idea: all threads load strips of both matrices into shared memory, and all use them
    for (int start = 0; start < n; start += DEPTH) {
#pragma unroll
        for (int i = 0; i < EACH * BY; i += BY)
#pragma unroll
            for (int k = x; k < x + DEPTH; k += BX)
                a_strip[y + i][k] = top + i < n && start + k < n ? a[(long long)(top + i) * n + start + k] : 0;
#pragma unroll
        for (int k = y; k < y + DEPTH; k += BY)
            b_strip[k][x] = column < n && start + k < n ? b[(long long)(start + k) * n + column] : 0;
        __syncthreads();
#pragma unroll 16 /* unrolling all of DEPTH would exceed the registers */
        for (int k = 0; k < DEPTH; k++)
            for (int r = 0; r < EACH; r++)
                sum[r] += a_strip[y + r * BY][k] * b_strip[k][x];
        __syncthreads();
    }
    // end of idea
    for (int r = 0; r < EACH; r++)
        if (top + r * BY < n && column < n)
            out[(long long)(top + r * BY) * n + column] = sum[r];
}

/* 1024 threads per multiprocessor leave 64 registers per thread. */
#define DEFINE_MATMUL(BX, BY, type, dtype)                                                                             \
    extern "C" __global__ void __launch_bounds__(BX * BY, 1024 / (BX * BY))                                            \
        matmul_tiled_##BX##x##BY##_##dtype(long long n, const type *a, const type *b, type *out)                       \
    {                                                                                                                  \
        multiply<type, BX, BY>(n, a, b, out);                                                                          \
    }
#define DEFINE_BLOCK(BX, BY)                                                                                           \
    DEFINE_MATMUL(BX, BY, double, float64)                                                                             \
    DEFINE_MATMUL(BX, BY, float, float32)
#define DEFINE_BLOCKS(BX)                                                                                              \
    DEFINE_BLOCK(BX, 8)                                                                                                \
    DEFINE_BLOCK(BX, 16)                                                                                               \
    DEFINE_BLOCK(BX, 32)

DEFINE_BLOCKS(8)
DEFINE_BLOCKS(16)
DEFINE_BLOCKS(32)
