/* out = sin(x)^2 + cos(x)^2 for vectors that do not overlap; with -fopenmp, threads share the blocks. In a single loop,
   gcc would merge sin and cos into sincos, which does not use SIMD. tgmath.h selects the functions for float or
   double. */
#include <stdint.h>
#include <tgmath.h>

#include "elementwise_trig.h"

#define BLOCK 512

#define DEFINE_ELEMENTWISE_TRIG(type, dtype)                                                            \
    void elementwise_trig_##dtype(const type *restrict x, type *restrict out, int64_t n)                \
    {                                                                                                   \
        _Pragma("omp parallel for schedule(static)")                                                    \
        for (int64_t first = 0; first < n; first += BLOCK) {                                            \
            const int64_t end = n - first < BLOCK ? n : first + BLOCK;                                  \
            for (int64_t i = first; i < end; i++)                                                       \
                out[i] = sin(x[i]) * sin(x[i]);                                                         \
            for (int64_t i = first; i < end; i++)                                                       \
                out[i] += cos(x[i]) * cos(x[i]);                                                        \
        }                                                                                               \
    }

DEFINE_ELEMENTWISE_TRIG(double, float64)
DEFINE_ELEMENTWISE_TRIG(float, float32)
