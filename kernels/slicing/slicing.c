/* Copy every third row of x, `rows` rows in all. With -fopenmp, threads share the rows. */
#include <stdint.h>

#include "slicing.h"

#define DEFINE_SLICING(type, dtype)                                                                           \
    void slicing_##dtype(const type *restrict x, type *restrict out, int64_t rows, int64_t columns)           \
    {                                                                                                         \
        _Pragma("omp parallel for schedule(static)")                                                          \
        for (int64_t i = 0; i < rows; i++)                                                                    \
            for (int64_t j = 0; j < columns; j++)                                                             \
                out[i * columns + j] = x[3 * i * columns + j];                                                \
    }

DEFINE_SLICING(double, float64)
DEFINE_SLICING(float, float32)
