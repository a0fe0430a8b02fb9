/* Cumulative sum by threads. Each thread adds up its part, then scans it, starting from the sum of the parts before. */
#include <omp.h>
#include <stdint.h>

#include "cumsum_openmp.h"

#define DEFINE_CUMSUM(type, dtype)                                                                \
    void cumsum_openmp_##dtype(const type *restrict x, type *restrict out, int64_t n)             \
    {                                                                                             \
        type sums[omp_get_max_threads()];                                                         \
        _Pragma("omp parallel")                                                                   \
        {                                                                                         \
            const int me = omp_get_thread_num(), threads = omp_get_num_threads();                 \
            const int64_t begin = n * me / threads, end = n * (me + 1) / threads;                 \
            type part = 0, total = 0;                                                             \
            if (me < threads - 1) /* the last sum is not needed */                                \
                _Pragma("omp simd reduction(+ : part)")                                           \
                for (int64_t i = begin; i < end; i++)                                             \
                    part += x[i];                                                                 \
            sums[me] = part;                                                                      \
            _Pragma("omp barrier")                                                                \
            for (int before = 0; before < me; before++)                                           \
                total += sums[before];                                                            \
            _Pragma("omp simd reduction(inscan, + : total)")                                      \
            for (int64_t i = begin; i < end; i++) {                                               \
                total += x[i];                                                                    \
                _Pragma("omp scan inclusive(total)")                                              \
                out[i] = total;                                                                   \
            }                                                                                     \
        }                                                                                         \
    }

DEFINE_CUMSUM(double, float64)
DEFINE_CUMSUM(float, float32)
