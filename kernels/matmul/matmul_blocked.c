/* out = a b for matrices of n rows, blocked for caches and registers.

   A panel of b, DEPTH rows of two vectors each, is copied into consecutive memory, where it stays in the first-level
   cache while all rows of a meet it. Tiles of ROWS x two vectors of the product stay in registers meanwhile: 12 of
   them, of 16 that AVX2 has. With -fopenmp, threads share the panels: each column of out belongs to one thread. Vectors
   are those of GCC and Clang, as long as the machine's registers. */
#include <stdint.h>
#include <string.h>

#include "matmul_blocked.h"

#if defined(__AVX512F__)
#define VECTOR 64 /* bytes */
#elif defined(__AVX__)
#define VECTOR 32
#else
#define VECTOR 16
#endif
#define ROWS 6
#define DEPTH 128

#define DEFINE_MATMUL_BLOCKED(type, dtype)                                                                       \
    enum { lanes_##dtype = VECTOR / sizeof(type), columns_##dtype = 2 * lanes_##dtype };                         \
    typedef type vector_##dtype __attribute__((vector_size(VECTOR)));                                            \
                                                                                                                 \
    /* tile += rows of a, `depth` long, times panel */                                                           \
    static void multiply_##dtype(int64_t depth, const type *const a[ROWS], const vector_##dtype (*panel)[2],     \
                                 vector_##dtype tile[ROWS][2])                                                   \
    {                                                                                                            \
        vector_##dtype sum[ROWS][2];                                                                             \
        memcpy(sum, tile, sizeof sum);                                                                           \
        /* idea: a tile of ROWS x two vectors stays in registers */                                              \
        for (int64_t k = 0; k < depth; k++)                                                                      \
            for (int r = 0; r < ROWS; r++) {                                                                     \
                sum[r][0] += a[r][k] * panel[k][0];                                                              \
                sum[r][1] += a[r][k] * panel[k][1];                                                              \
            }                                                                                                    \
        /* end of idea */                                                                                        \
        memcpy(tile, sum, sizeof sum);                                                                           \
    }                                                                                                            \
                                                                                                                 \
    /* the columns of out from `left` on, as many as a panel has */                                              \
    static void columns_of_##dtype(int64_t n, int64_t left, const type *a, const type *b, type *out)             \
    {                                                                                                            \
        vector_##dtype panel[DEPTH][2], tile[ROWS][2];                                                           \
        const int64_t width = n - left < columns_##dtype ? n - left : columns_##dtype;                           \
        memset(panel, 0, sizeof panel);                                                                          \
        for (int64_t top = 0; top < n; top += DEPTH) {                                                           \
            const int64_t depth = n - top < DEPTH ? n - top : DEPTH;                                             \
            for (int64_t k = 0; k < depth; k++)                                                                  \
                memcpy(panel[k], b + (top + k) * n + left, width * sizeof(type));                                \
            for (int64_t i = 0; i < n; i += ROWS) {                                                              \
                const type *rows[ROWS];                                                                          \
                const int64_t height = n - i < ROWS ? n - i : ROWS;                                              \
                for (int64_t r = 0; r < ROWS; r++) /* beyond the last row, the last one again */                 \
                    rows[r] = a + (r < height ? i + r : n - 1) * n + top;                                        \
                memset(tile, 0, sizeof tile);                                                                    \
                if (top > 0)                                                                                     \
                    for (int64_t r = 0; r < height; r++)                                                         \
                        memcpy(tile[r], out + (i + r) * n + left, width * sizeof(type));                         \
                multiply_##dtype(depth, rows, panel, tile);                                                      \
                for (int64_t r = 0; r < height; r++)                                                             \
                    memcpy(out + (i + r) * n + left, tile[r], width * sizeof(type));                             \
            }                                                                                                    \
        }                                                                                                        \
    }                                                                                                            \
                                                                                                                 \
    void matmul_blocked_##dtype(int64_t n, const type *a, const type *b, type *out)                              \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t left = 0; left < n; left += columns_##dtype)                                                \
            columns_of_##dtype(n, left, a, b, out);                                                              \
    }

DEFINE_MATMUL_BLOCKED(double, float64)
DEFINE_MATMUL_BLOCKED(float, float32)
