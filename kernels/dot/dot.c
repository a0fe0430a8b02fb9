/* Dot product in one plain loop. Without flags, the additions keep their order. With -ffast-math or -fopenmp, the
   compiler may use SIMD lanes. With -fopenmp, each thread adds up a part. */
#include <stdint.h>

#include "dot.h"

#define DEFINE_DOT(type, dtype)                                     \
    type dot_##dtype(const type *x, const type *y, int64_t n)       \
    {                                                               \
        type product = 0;                                           \
        _Pragma("omp parallel for simd reduction(+ : product)")     \
        for (int64_t i = 0; i < n; i++)                             \
            product += x[i] * y[i];                                 \
        return product;                                             \
    }

DEFINE_DOT(double, float64)
DEFINE_DOT(float, float32)
