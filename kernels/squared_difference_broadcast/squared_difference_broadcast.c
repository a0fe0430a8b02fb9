/* out = (x - y)^2 for each row of x, with the same y; with -fopenmp, threads share the rows. */
#include <stdint.h>

#include "squared_difference_broadcast.h"

#define DEFINE_SQUARED_DIFFERENCE_BROADCAST(type, dtype)                                                       \
    void squared_difference_broadcast_##dtype(const type *restrict x, const type *restrict y,                  \
                                              type *restrict out, int64_t rows, int64_t columns)               \
    {                                                                                                          \
        _Pragma("omp parallel for schedule(static)")                                                           \
        for (int64_t i = 0; i < rows; i++)                                                                     \
            for (int64_t j = 0; j < columns; j++)                                                              \
                out[i * columns + j] = (x[i * columns + j] - y[j]) * (x[i * columns + j] - y[j]);              \
    }

DEFINE_SQUARED_DIFFERENCE_BROADCAST(double, float64)
DEFINE_SQUARED_DIFFERENCE_BROADCAST(float, float32)
