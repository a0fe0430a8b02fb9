/* Return the largest number of a vector, found by one plain loop. Without flags, the comparisons keep their order. With
   -ffast-math or -fopenmp, the compiler may use SIMD lanes. With -fopenmp, each thread compares a part. */
#include <float.h>
#include <stdint.h>

#include "maximum.h"

#define DEFINE_MAXIMUM(type, dtype, lowest)                         \
    type maximum_##dtype(const type *x, int64_t n)                  \
    {                                                               \
        type largest = lowest;                                      \
        _Pragma("omp parallel for simd reduction(max : largest)")   \
        for (int64_t i = 0; i < n; i++)                             \
            largest = x[i] > largest ? x[i] : largest;              \
        return largest;                                             \
    }

DEFINE_MAXIMUM(double, float64, -DBL_MAX)
DEFINE_MAXIMUM(float, float32, -FLT_MAX)
