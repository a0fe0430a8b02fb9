/* out = x + y for vectors that do not overlap; with -fopenmp, threads share the elements. */
#include <stdint.h>

#include "vector_add.h"

#define DEFINE_VECTOR_ADD(type, dtype)                                                                           \
    void vector_add_##dtype(const type *restrict x, const type *restrict y, type *restrict out, int64_t n)       \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < n; i++)                                                                          \
            out[i] = x[i] + y[i];                                                                                \
    }

DEFINE_VECTOR_ADD(double, float64)
DEFINE_VECTOR_ADD(float, float32)
