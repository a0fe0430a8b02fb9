/* Read n numbers as fast as memory delivers them, adding them up. The caches' own prefetching is best left alone: any
   hint in the code cost between a tenth and a quarter. */
#include <stdint.h>

#include "peak_read.h"

#define DEFINE_PEAK_READ(type, dtype)                         \
    type peak_read_##dtype(const type *x, int64_t n)          \
    {                                                         \
        type total = 0;                                       \
        _Pragma("omp parallel for simd reduction(+ : total)") \
        for (int64_t i = 0; i < n; i++)                       \
            total += x[i];                                    \
        return total;                                         \
    }

DEFINE_PEAK_READ(double, float64)
DEFINE_PEAK_READ(float, float32)
