/* out = (x - y)^2 for vectors that do not overlap; with -fopenmp, threads share the elements. */
#include <stdint.h>

#include "squared_difference.h"

#define DEFINE_SQUARED_DIFFERENCE(type, dtype)                                                                      \
    void squared_difference_##dtype(const type *restrict x, const type *restrict y, type *restrict out, int64_t n)  \
    {                                                                                                               \
        _Pragma("omp parallel for schedule(static)")                                                                \
        for (int64_t i = 0; i < n; i++)                                                                             \
            out[i] = (x[i] - y[i]) * (x[i] - y[i]);                                                                 \
    }

DEFINE_SQUARED_DIFFERENCE(double, float64)
DEFINE_SQUARED_DIFFERENCE(float, float32)
