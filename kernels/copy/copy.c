/* out = x for vectors that do not overlap; with -fopenmp, threads share the elements. */
#include <stdint.h>

#include "copy.h"

#define DEFINE_COPY(type, dtype)                                                                                 \
    void copy_##dtype(const type *restrict x, type *restrict out, int64_t n)                                     \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < n; i++)                                                                          \
            out[i] = x[i];                                                                                       \
    }

DEFINE_COPY(double, float64)
DEFINE_COPY(float, float32)
