/* Two transpositions of a matrix of n rows: row by row of the result, or tile by tile. A column of a tile touches TILE
   cache lines, which stay in the cache until the tile's other columns have been read. With -fopenmp, threads share rows
   of tiles. */
#include <stdint.h>

#include "transpose.h"

#define TILE 32
#define MIN(a, b) ((a) < (b) ? (a) : (b))

#define DEFINE_TRANSPOSE(type, dtype)                                                     \
    void transpose_##dtype(const type *restrict x, type *restrict out, int64_t n)         \
    {                                                                                     \
        for (int64_t i = 0; i < n; i++)                                                   \
            for (int64_t j = 0; j < n; j++)                                               \
                out[i * n + j] = x[j * n + i];                                            \
    }                                                                                     \
                                                                                          \
    void transpose_blocked_##dtype(const type *restrict x, type *restrict out, int64_t n) \
    {                                                                                     \
        _Pragma("omp parallel for schedule(static)")                                      \
        for (int64_t top = 0; top < n; top += TILE)                                       \
            for (int64_t left = 0; left < n; left += TILE)                                \
                for (int64_t i = top; i < MIN(top + TILE, n); i++)                        \
                    for (int64_t j = left; j < MIN(left + TILE, n); j++)                  \
                        out[i * n + j] = x[j * n + i];                                    \
    }

DEFINE_TRANSPOSE(double, float64)
DEFINE_TRANSPOSE(float, float32)
