/* Compute out = a b for matrices of n rows, with tiles in shared memory and in registers.

   A block of BX x BY threads computes a tile of BY * ROWS rows and BX * COLUMNS columns of the product. Each thread
   computes ROWS x COLUMNS elements in registers. It uses a number of a from shared memory for COLUMNS multiplications,
   and a number of b for ROWS multiplications. Reads of shared memory and all accesses to global memory are vectors of
   16 bytes. A thread has groups of `width` rows and of `width` columns. Neighbouring groups belong to neighbouring
   threads, so that neighbouring threads read neighbouring vectors. A strip, DEPTH columns of a, is stored transposed in
   shared memory, number by number. Its rows are padded by one vector to avoid bank conflicts.

   Strips are double-buffered: while the block multiplies one pair of strips, it loads the next pair from global memory
   into registers. So one barrier per pair of strips suffices.

   Arrays are aligned to 16 bytes. Their rows are aligned, too, if n is a multiple of `width`. For any other n, there
   are kernels whose names end in _unaligned. They access global memory number by number. Indices of rows and columns
   are int, since no memory holds a matrix of more than 2**31 rows. */

template <typename real> struct alignas(16) Vector {
    static constexpr int width = 16 / sizeof(real);
    real part[width];
};

/* Return `width` elements of a row, beginning at `column`. Elements outside the matrix are 0. */
template <bool aligned, typename real>
__device__ Vector<real> fetch(const real *__restrict__ matrix, int n, int row, int column)
{
    constexpr int width = Vector<real>::width;
    Vector<real> vector = {};
    if (row < n && column < n) {
        const real *const first = matrix + (long long)row * n + column;
        if constexpr (aligned)
            vector = *(const Vector<real> *)first;
        else
            for (int p = 0; p < width; p++)
                if (column + p < n)
                    vector.part[p] = first[p];
    }
    return vector;
}

template <bool aligned, typename real, int BX, int BY, int ROWS, int COLUMNS, int DEPTH>
__device__ void multiply(int n, const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ out)
{
    constexpr int width = Vector<real>::width, threads = BX * BY, height = BY * ROWS, breadth = BX * COLUMNS;
    constexpr int a_step = threads / (DEPTH / width), b_step = threads / (breadth / width); /* rows per load */
    static_assert(height % a_step == 0 && DEPTH % b_step == 0, "threads share the strips without remainder");
    alignas(16) __shared__ real a_strips[2][DEPTH][height + width], b_strips[2][DEPTH][breadth];
    const int x = threadIdx.x, y = threadIdx.y, thread = y * BX + x;
    const int top = blockIdx.y * height, left = blockIdx.x * breadth;
    const int a_row = thread / (DEPTH / width), a_column = thread % (DEPTH / width) * width;
    const int b_row = thread / (breadth / width), b_column = thread % (breadth / width) * width;
    Vector<real> next_a[height / a_step], next_b[DEPTH / b_step];
    real sum[ROWS][COLUMNS] = {};

    const auto fetch_strips = [&](int start) {
#pragma unroll
        for (int v = 0; v < height / a_step; v++)
            next_a[v] = fetch<aligned>(a, n, top + a_row + v * a_step, start + a_column);
#pragma unroll
        for (int v = 0; v < DEPTH / b_step; v++)
            next_b[v] = fetch<aligned>(b, n, start + b_row + v * b_step, left + b_column);
    };
    const auto keep_strips = [&](int buffer) {
#pragma unroll
        for (int v = 0; v < height / a_step; v++)
            for (int p = 0; p < width; p++)
                a_strips[buffer][a_column + p][a_row + v * a_step] = next_a[v].part[p];
#pragma unroll
        for (int v = 0; v < DEPTH / b_step; v++)
            *(Vector<real> *)&b_strips[buffer][b_row + v * b_step][b_column] = next_b[v];
        __syncthreads();
    };

    fetch_strips(0);
    keep_strips(0);
    int buffer = 0;
    for (int start = 0; start < n; start += DEPTH, buffer ^= 1) {
        const bool more = start + DEPTH < n;
        if (more)
            fetch_strips(start + DEPTH);
        // idea: ROWS + COLUMNS numbers from shared memory give ROWS * COLUMNS products in registers
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            Vector<real> as[ROWS / width], bs[COLUMNS / width];
            for (int g = 0; g < ROWS / width; g++)
                as[g] = *(const Vector<real> *)&a_strips[buffer][k][(g * BY + y) * width];
            for (int g = 0; g < COLUMNS / width; g++)
                bs[g] = *(const Vector<real> *)&b_strips[buffer][k][(g * BX + x) * width];
            for (int r = 0; r < ROWS; r++)
                for (int c = 0; c < COLUMNS; c++)
                    sum[r][c] += as[r / width].part[r % width] * bs[c / width].part[c % width];
        }
        // end of idea
        if (more)
            keep_strips(buffer ^ 1);
    }

    for (int r = 0; r < ROWS; r++) {
        const int row = top + (r / width * BY + y) * width + r % width;
        for (int g = 0; g < COLUMNS / width; g++) {
            const int column = left + (g * BX + x) * width;
            if (row >= n || column >= n)
                continue;
            real *const first = out + (long long)row * n + column;
            Vector<real> vector;
            for (int p = 0; p < width; p++)
                vector.part[p] = sum[r][g * width + p];
            if constexpr (aligned)
                *(Vector<real> *)first = vector;
            else
                for (int p = 0; p < width; p++)
                    if (column + p < n)
                        first[p] = vector.part[p];
        }
    }
}

/* The launch bounds limit the registers per thread. Two blocks of 256 threads on a multiprocessor have 128 registers
   per thread; 384 threads in smaller blocks have 168. */
#define DEFINE_KERNEL(BX, BY, ROWS, COLUMNS, DEPTH, type, name, aligned)                                               \
    extern "C" __global__ void __launch_bounds__(BX * BY, BX * BY == 256 ? 2 : 384 / (BX * BY))                        \
        matmul_register_tiled_##BX##x##BY##_##name(long long n, const type *a, const type *b, type *out)               \
    {                                                                                                                  \
        multiply<aligned, type, BX, BY, ROWS, COLUMNS, DEPTH>(n, a, b, out);                                           \
    }
#define DEFINE_MATMUL(BX, BY, ROWS, COLUMNS, DEPTH, type, dtype)                                                       \
    DEFINE_KERNEL(BX, BY, ROWS, COLUMNS, DEPTH, type, dtype, true)                                                     \
    DEFINE_KERNEL(BX, BY, ROWS, COLUMNS, DEPTH, type, dtype##_unaligned, false)
#define DEFINE_BLOCK(BX, BY)                                                                                           \
    DEFINE_MATMUL(BX, BY, 4, 4, 8, double, float64)                                                                    \
    DEFINE_MATMUL(BX, BY, 8, 8, 16, float, float32)

DEFINE_BLOCK(8, 8)
DEFINE_BLOCK(8, 16)
DEFINE_BLOCK(16, 8)
DEFINE_BLOCK(16, 16)
