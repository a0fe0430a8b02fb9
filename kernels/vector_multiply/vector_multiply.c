/* Elementwise product of two vectors that do not overlap; with -fopenmp, threads share the elements. */
#include <stdint.h>

#include "vector_multiply.h"

#define DEFINE_VECTOR_MULTIPLY(type, dtype)                                                                      \
    void vector_multiply_##dtype(const type *restrict x, const type *restrict y, type *restrict out, int64_t n)  \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < n; i++)                                                                          \
            out[i] = x[i] * y[i];                                                                                \
    }

DEFINE_VECTOR_MULTIPLY(double, float64)
DEFINE_VECTOR_MULTIPLY(float, float32)
