/* out = 1; with -fopenmp, threads share the elements. */
#include <stdint.h>

#include "fill.h"

#define DEFINE_FILL(type, dtype)                                                                                 \
    void fill_##dtype(type *out, int64_t n)                                                                      \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < n; i++)                                                                          \
            out[i] = 1;                                                                                          \
    }

DEFINE_FILL(double, float64)
DEFINE_FILL(float, float32)
