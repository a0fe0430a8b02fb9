/* Compute z = a * x + b * y for vectors that do not overlap. With -fopenmp, threads share the elements. */
#include <stdint.h>

#include "linear_combination.h"

#define DEFINE_LINEAR_COMBINATION(type, dtype)                                                                   \
    void linear_combination_##dtype(type a, const type *restrict x, type b, const type *restrict y,              \
                                    type *restrict z, int64_t n)                                                 \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < n; i++)                                                                          \
            z[i] = a * x[i] + b * y[i];                                                                          \
    }

DEFINE_LINEAR_COMBINATION(double, float64)
DEFINE_LINEAR_COMBINATION(float, float32)
