/* Read n numbers as fast as memory delivers them, and add them up. The hardware prefetches. Prefetch instructions made
   the sum a tenth to a quarter slower. On some processors, a thread is faster if it reads several parts of its numbers
   in turn, since the hardware prefetches each part separately. STREAMS is the number of parts. */
#include <stdint.h>

#include "peak_read.h"

#ifndef STREAMS

#define DEFINE_PEAK_READ(type, dtype)                         \
    type peak_read_##dtype(const type *x, int64_t n)          \
    {                                                         \
        type total = 0;                                       \
        _Pragma("omp parallel for simd reduction(+ : total)") \
        for (int64_t i = 0; i < n; i++)                       \
            total += x[i];                                    \
        return total;                                         \
    }

#else

#include <omp.h>

#define LINE 64 /* size of a cache line, in bytes */

#define DEFINE_PEAK_READ(type, dtype)                                                                         \
    typedef type line_##dtype __attribute__((vector_size(LINE), aligned(sizeof(type)), may_alias));           \
    type peak_read_##dtype(const type *x, int64_t n)                                                          \
    {                                                                                                         \
        enum { line = LINE / sizeof(type) };                                                                  \
        type total = 0;                                                                                       \
        _Pragma("omp parallel reduction(+ : total)")                                                          \
        {                                                                                                     \
            const int64_t parts = (int64_t)omp_get_num_threads() * STREAMS, length = n / parts / line * line; \
            const type *first = x + omp_get_thread_num() * STREAMS * length;                                  \
            line_##dtype sums[STREAMS] = {0};                                                                 \
            /* idea: a cache line of each part in turn */                                                     \
            for (int64_t i = 0; i < length; i += line)                                                        \
                for (int s = 0; s < STREAMS; s++)                                                             \
                    sums[s] += *(const line_##dtype *)(first + s * length + i);                               \
            /* end of idea */                                                                                 \
            for (int s = 0; s < STREAMS; s++)                                                                 \
                for (int k = 0; k < line; k++)                                                                \
                    total += sums[s][k];                                                                      \
            _Pragma("omp for")                                                                                \
            for (int64_t i = parts * length; i < n; i++)                                                      \
                total += x[i];                                                                                \
        }                                                                                                     \
        return total;                                                                                         \
    }

#endif

DEFINE_PEAK_READ(double, float64)
DEFINE_PEAK_READ(float, float32)
