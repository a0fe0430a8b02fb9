/* Sum of a vector, by a plain loop. Without flags, the additions keep their order. With -ffast-math or -fopenmp, the
   compiler may use SIMD lanes. With -fopenmp, each thread adds up a part. */
#include <stdint.h>

#include "vector_sum.h"

#define DEFINE_VECTOR_SUM(type, dtype)                                  \
    type vector_sum_##dtype(const type *x, int64_t n)                   \
    {                                                                   \
        type total = 0;                                                 \
        _Pragma("omp parallel for simd reduction(+ : total)")           \
        for (int64_t i = 0; i < n; i++)                                 \
            total += x[i];                                              \
        return total;                                                   \
    }

DEFINE_VECTOR_SUM(double, float64)
DEFINE_VECTOR_SUM(float, float32)
