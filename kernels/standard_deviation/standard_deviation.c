/* Standard deviation by its definition, in two passes that add up in double precision. With -ffast-math or -fopenmp,
   the compiler may use SIMD lanes. With -fopenmp, each thread adds up a part of x. */
#include <math.h>
#include <stdint.h>

#include "standard_deviation.h"

#define DEFINE_STANDARD_DEVIATION(type, dtype)                                                          \
    type standard_deviation_##dtype(const type *x, int64_t n)                                           \
    {                                                                                                   \
        /* idea: two passes */                                                                          \
        double total = 0, squares = 0;                                                                  \
        _Pragma("omp parallel for simd reduction(+ : total)")                                           \
        for (int64_t i = 0; i < n; i++)                                                                 \
            total += x[i];                                                                              \
        const double mean = total / n;                                                                  \
        _Pragma("omp parallel for simd reduction(+ : squares)")                                         \
        for (int64_t i = 0; i < n; i++)                                                                 \
            squares += (x[i] - mean) * (x[i] - mean);                                                   \
        return sqrt(squares / n);                                                                       \
        /* end of idea */                                                                               \
    }

DEFINE_STANDARD_DEVIATION(double, float64)
DEFINE_STANDARD_DEVIATION(float, float32)
