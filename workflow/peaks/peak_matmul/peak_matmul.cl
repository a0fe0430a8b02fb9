/* out = a b for matrices of n rows, by one of two kernels.

   peak_matmul_tiles, for GPUs: a work-group of 16 x 16 computes a tile of 64 x 64 of the product. The group loads
   DEPTH columns of a and DEPTH rows of b at a time into local memory. Each work-item keeps 4 x 4 elements of the tile,
   16 apart, in registers.

   peak_matmul_vectors, for CPUs: a work-item computes 4 rows of two vectors, each as long as an AVX register
   (32 bytes). Consecutive work-items use the same columns of b, which stay in the cache. */

#define SIDE 16
#define EACH 4
#define TILE (SIDE * EACH)
#define DEPTH 16

#define DEFINE_PEAK_MATMUL_TILES(type, dtype)                                                                 \
    kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void peak_matmul_tiles_##dtype(               \
        long n, global const type *restrict a, global const type *restrict b, global type *restrict out)      \
    {                                                                                                         \
        local type a_strip[DEPTH][TILE + 1], b_strip[DEPTH][TILE]; /* + 1 avoids bank conflicts of a_strip */ \
        const int column = get_local_id(0), row = get_local_id(1);                                            \
        const long top = get_group_id(1) * TILE, left = get_group_id(0) * TILE;                               \
        type sum[EACH][EACH] = {{0}};                                                                         \
        for (long start = 0; start < n; start += DEPTH) {                                                     \
            for (int e = row * SIDE + column; e < DEPTH * TILE; e += SIDE * SIDE) {                           \
                const int i = e / DEPTH, k = e % DEPTH, l = e / TILE, j = e % TILE;                           \
                a_strip[k][i] = top + i < n && start + k < n ? a[(top + i) * n + start + k] : 0;              \
                b_strip[l][j] = start + l < n && left + j < n ? b[(start + l) * n + left + j] : 0;            \
            }                                                                                                 \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
            for (int k = 0; k < DEPTH; k++) {                                                                 \
                /* idea: each number loaded into registers is used EACH times */                              \
                type from_a[EACH], from_b[EACH];                                                              \
                for (int r = 0; r < EACH; r++) {                                                              \
                    from_a[r] = a_strip[k][row + r * SIDE];                                                   \
                    from_b[r] = b_strip[k][column + r * SIDE];                                                \
                }                                                                                             \
                for (int r = 0; r < EACH; r++)                                                                \
                    for (int c = 0; c < EACH; c++)                                                            \
                        sum[r][c] += from_a[r] * from_b[c];                                                   \
                /* end of idea */                                                                             \
            }                                                                                                 \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                     \
        }                                                                                                     \
        for (int r = 0; r < EACH; r++)                                                                        \
            for (int c = 0; c < EACH; c++)                                                                    \
                if (top + row + r * SIDE < n && left + column + c * SIDE < n)                                 \
                    out[(top + row + r * SIDE) * n + left + column + c * SIDE] = sum[r][c];                   \
    }

#define ROWS 4

#define DEFINE_PEAK_MATMUL_VECTORS(type, dtype, width)                                                 \
    kernel void peak_matmul_vectors_##dtype(long n, global const type *restrict a,                     \
                                             global const type *restrict b, global type *restrict out) \
    {                                                                                                  \
        const long top = get_global_id(0) * ROWS, left = get_global_id(1) * 2 * width;                 \
        if (top + ROWS <= n && left + 2 * width <= n) {                                                \
            type##width sum[ROWS][2] = {{0}};                                                          \
            /* idea: two vectors of b, used for ROWS rows of a each; all sums stay in registers */     \
            for (long k = 0; k < n; k++) {                                                             \
                const type##width first = vload##width(0, b + k * n + left);                           \
                const type##width second = vload##width(1, b + k * n + left);                          \
                for (int r = 0; r < ROWS; r++) {                                                       \
                    const type factor = a[(top + r) * n + k];                                          \
                    sum[r][0] += factor * first;                                                       \
                    sum[r][1] += factor * second;                                                      \
                }                                                                                      \
            }                                                                                          \
            /* end of idea */                                                                          \
            for (int r = 0; r < ROWS; r++) {                                                           \
                vstore##width(sum[r][0], 0, out + (top + r) * n + left);                               \
                vstore##width(sum[r][1], 1, out + (top + r) * n + left);                               \
            }                                                                                          \
        } else { /* the margins */                                                                     \
            for (long i = top; i < min(top + ROWS, n); i++)                                            \
                for (long j = left; j < min(left + 2 * width, n); j++) {                               \
                    type sum = 0;                                                                      \
                    for (long k = 0; k < n; k++)                                                       \
                        sum += a[i * n + k] * b[k * n + j];                                            \
                    out[i * n + j] = sum;                                                              \
                }                                                                                      \
        }                                                                                              \
    }

DEFINE_PEAK_MATMUL_TILES(float, float32)
DEFINE_PEAK_MATMUL_VECTORS(float, float32, 8)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_PEAK_MATMUL_TILES(double, float64)
DEFINE_PEAK_MATMUL_VECTORS(double, float64, 4)
#endif
