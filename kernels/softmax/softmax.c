/* Compute the softmax of each row in three loops: maximum, exponentials and their sum, quotients. The later loops read
   the row from the cache. With -ffast-math, the compiler may use SIMD lanes for all loops. With -fopenmp, threads share
   the rows. tgmath.h selects exp for the type. */
#include <stdint.h>
#include <tgmath.h>

#include "softmax.h"

#define DEFINE_SOFTMAX(type, dtype)                                                                          \
    void softmax_##dtype(const type *restrict x, type *restrict out, int64_t rows, int64_t columns)          \
    {                                                                                                        \
        _Pragma("omp parallel for schedule(static)")                                                         \
        for (int64_t i = 0; i < rows; i++) {                                                                 \
            const type *restrict const row = x + i * columns;                                                \
            type *restrict const result = out + i * columns;                                                 \
            type top = row[0], total = 0;                                                                    \
            for (int64_t j = 1; j < columns; j++)                                                            \
                top = row[j] > top ? row[j] : top;                                                           \
            for (int64_t j = 0; j < columns; j++)                                                            \
                total += result[j] = exp(row[j] - top);                                                      \
            for (int64_t j = 0; j < columns; j++)                                                            \
                result[j] /= total;                                                                          \
        }                                                                                                    \
    }

DEFINE_SOFTMAX(double, float64)
DEFINE_SOFTMAX(float, float32)
