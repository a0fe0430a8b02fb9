/* Trace of a matrix of n rows, by a plain loop along the diagonal. With -fopenmp, threads share the loop. */
#include <stdint.h>

#include "trace.h"

#define DEFINE_TRACE(type, dtype)                                   \
    type trace_##dtype(const type *a, int64_t n)                    \
    {                                                               \
        type total = 0;                                             \
        _Pragma("omp parallel for simd reduction(+ : total)")       \
        for (int64_t i = 0; i < n; i++)                             \
            total += a[i * (n + 1)];                                \
        return total;                                               \
    }

DEFINE_TRACE(double, float64)
DEFINE_TRACE(float, float32)
