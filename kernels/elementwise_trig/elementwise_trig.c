/* out = sin(x)^2 + cos(x)^2 for vectors that do not overlap; with -fopenmp, threads share the elements. tgmath.h picks
   the functions for float or double. */
#include <stdint.h>
#include <tgmath.h>

#include "elementwise_trig.h"

#define DEFINE_ELEMENTWISE_TRIG(type, dtype)                                                            \
    void elementwise_trig_##dtype(const type *restrict x, type *restrict out, int64_t n)                \
    {                                                                                                   \
        _Pragma("omp parallel for schedule(static)")                                                    \
        for (int64_t i = 0; i < n; i++)                                                                 \
            out[i] = sin(x[i]) * sin(x[i]) + cos(x[i]) * cos(x[i]);                                     \
    }

DEFINE_ELEMENTWISE_TRIG(double, float64)
DEFINE_ELEMENTWISE_TRIG(float, float32)
