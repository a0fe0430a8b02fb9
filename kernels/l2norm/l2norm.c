/* Compute the Euclidean length of each row. Without flags, the additions along a row stay in order. With -ffast-math or
   -fopenmp, the compiler may use SIMD lanes for them. With -fopenmp, threads also share the rows. */
#include <math.h>
#include <stdint.h>

#include "l2norm.h"

#define DEFINE_L2NORM(type, dtype, root)                                                                     \
    void l2norm_##dtype(const type *restrict x, type *restrict out, int64_t rows, int64_t columns)           \
    {                                                                                                        \
        _Pragma("omp parallel for schedule(static)")                                                         \
        for (int64_t i = 0; i < rows; i++) {                                                                 \
            const type *const row = x + i * columns;                                                         \
            type total = 0;                                                                                  \
            _Pragma("omp simd reduction(+ : total)")                                                         \
            for (int64_t j = 0; j < columns; j++)                                                            \
                total += row[j] * row[j];                                                                    \
            out[i] = root(total);                                                                            \
        }                                                                                                    \
    }

DEFINE_L2NORM(double, float64, sqrt)
DEFINE_L2NORM(float, float32, sqrtf)
