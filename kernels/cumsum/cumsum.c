/* Cumulative sum, one plain loop. Without the directives each addition waits for the one before. With -fopenmp-simd the
   compiler scans a register's elements by doubling, and only the last of them waits for the register before. */
#include <stdint.h>

#include "cumsum.h"

#define DEFINE_CUMSUM(type, dtype)                                                    \
    void cumsum_##dtype(const type *restrict x, type *restrict out, int64_t n)        \
    {                                                                                 \
        type total = 0;                                                               \
        _Pragma("omp simd reduction(inscan, + : total)")                              \
        for (int64_t i = 0; i < n; i++) {                                             \
            total += x[i];                                                            \
            _Pragma("omp scan inclusive(total)")                                      \
            out[i] = total;                                                           \
        }                                                                             \
    }

DEFINE_CUMSUM(double, float64)
DEFINE_CUMSUM(float, float32)
