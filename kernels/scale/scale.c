/* Compute y = factor * x for vectors that do not overlap. With -fopenmp, threads share the elements. */
#include <stdint.h>

#include "scale.h"

#define DEFINE_SCALE(type, dtype)                                                                                \
    void scale_##dtype(type factor, const type *restrict x, type *restrict y, int64_t n)                         \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < n; i++)                                                                          \
            y[i] = factor * x[i];                                                                                \
    }

DEFINE_SCALE(double, float64)
DEFINE_SCALE(float, float32)
