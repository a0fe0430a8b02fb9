/* Compute out = log(1 + exp(x)) without overflow or loss of digits, for vectors that do not overlap. With -fopenmp,
   threads share the elements. tgmath.h selects the functions for float or double. */
#include <stdint.h>
#include <tgmath.h>

#include "softplus.h"

#define DEFINE_SOFTPLUS(type, dtype)                                                                    \
    void softplus_##dtype(const type *restrict x, type *restrict out, int64_t n)                        \
    {                                                                                                   \
        _Pragma("omp parallel for schedule(static)")                                                    \
        for (int64_t i = 0; i < n; i++)                                                                 \
            out[i] = (x[i] > 0 ? x[i] : 0) + log1p(exp(-fabs(x[i])));                                   \
    }

DEFINE_SOFTPLUS(double, float64)
DEFINE_SOFTPLUS(float, float32)
