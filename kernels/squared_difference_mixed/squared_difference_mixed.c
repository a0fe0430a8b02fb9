/* out = (x - y)^2 for vectors that do not overlap; x has integers. With -fopenmp, threads share the elements. */
#include <stdint.h>

#include "squared_difference_mixed.h"

#define DEFINE_SQUARED_DIFFERENCE_MIXED(type, dtype)                                                             \
    void squared_difference_mixed_##dtype(const int16_t *restrict x, const type *restrict y, type *restrict out, \
                                          int64_t n)                                                             \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < n; i++)                                                                          \
            out[i] = (x[i] - y[i]) * (x[i] - y[i]);                                                              \
    }

DEFINE_SQUARED_DIFFERENCE_MIXED(double, float64)
DEFINE_SQUARED_DIFFERENCE_MIXED(float, float32)
