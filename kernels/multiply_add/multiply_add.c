/* Compute out = x1 * x2 + b for vectors that do not overlap. With -fopenmp, threads share the elements. */
#include <stdint.h>

#include "multiply_add.h"

#define DEFINE_MULTIPLY_ADD(type, dtype)                                                                         \
    void multiply_add_##dtype(const type *restrict x1, const type *restrict x2, type b,                          \
                              type *restrict out, int64_t n)                                                     \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < n; i++)                                                                          \
            out[i] = x1[i] * x2[i] + b;                                                                          \
    }

DEFINE_MULTIPLY_ADD(double, float64)
DEFINE_MULTIPLY_ADD(float, float32)
