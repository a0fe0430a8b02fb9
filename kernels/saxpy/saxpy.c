/* Compute out = a * x + y for vectors that do not overlap. With -fopenmp, threads share the elements. */
#include <stdint.h>

#include "saxpy.h"

#define DEFINE_SAXPY(type, dtype)                                                                                \
    void saxpy_##dtype(type a, const type *restrict x, const type *restrict y, type *restrict out, int64_t n)    \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < n; i++)                                                                          \
            out[i] = a * x[i] + y[i];                                                                            \
    }

DEFINE_SAXPY(double, float64)
DEFINE_SAXPY(float, float32)
