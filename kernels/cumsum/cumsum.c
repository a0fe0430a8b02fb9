/* Cumulative sum in one plain loop. Without -fopenmp-simd, each addition waits for the previous one. With it, the
   compiler scans the elements of a SIMD register by doubling; only the last step waits for the previous register. */
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
