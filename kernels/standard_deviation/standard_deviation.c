/* Standard deviation by its definition in two passes; in one, shifted by the first element; and in one by Welford's
   update. All add up in double precision. With -ffast-math the sums are in SIMD lanes; with -fopenmp each thread has a
   part of x. */
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
    }                                                                                                   \
                                                                                                        \
    type standard_deviation_one_pass_##dtype(const type *x, int64_t n)                                  \
    {                                                                                                   \
        const double origin = n > 0 ? x[0] : 0;                                                         \
        /* idea: one pass */                                                                            \
        double total = 0, squares = 0;                                                                  \
        _Pragma("omp parallel for simd reduction(+ : total, squares)")                                  \
        for (int64_t i = 0; i < n; i++) {                                                               \
            const double shifted = x[i] - origin;                                                       \
            total += shifted;                                                                           \
            squares += shifted * shifted;                                                               \
        }                                                                                               \
        return sqrt(squares / n - total / n * (total / n));                                             \
        /* end of idea */                                                                               \
    }                                                                                                   \
                                                                                                        \
    type standard_deviation_welford_##dtype(const type *x, int64_t n)                                   \
    {                                                                                                   \
        /* idea: one pass, Welford's */                                                                 \
        double mean = 0, squares = 0;                                                                   \
        for (int64_t i = 0; i < n; i++) {                                                               \
            const double before = x[i] - mean;                                                          \
            mean += before / (i + 1);                                                                   \
            squares += before * (x[i] - mean);                                                          \
        }                                                                                               \
        return sqrt(squares / n);                                                                       \
        /* end of idea */                                                                               \
    }

DEFINE_STANDARD_DEVIATION(double, float64)
DEFINE_STANDARD_DEVIATION(float, float32)
