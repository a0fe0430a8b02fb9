/* out = x * y, one cache line at a time by non-temporal stores. Ordinary stores write the elements before the first
   whole line of out and after the last one. */
#include <stdint.h>

#include "vector_multiply_line.h"
#include "vector_multiply_streaming.h"

#define DEFINE_VECTOR_MULTIPLY_STREAMING(type, dtype)                                                            \
    void vector_multiply_streaming_##dtype(const type *x, const type *y, type *out, int64_t n)                   \
    {                                                                                                            \
        const int64_t line = LINE / sizeof(type), unaligned = -(uintptr_t)out % LINE / sizeof(type);             \
        const int64_t head = unaligned < n ? unaligned : n, tail = n - (n - head) % line;                        \
        for (int64_t i = 0; i < head; i++)                                                                       \
            out[i] = x[i] * y[i];                                                                                \
        _Pragma("omp parallel")                                                                                  \
        {                                                                                                        \
            _Pragma("omp for schedule(static)")                                                                  \
            for (int64_t i = head; i < tail; i += line)                                                          \
                multiply_line_##dtype(x + i, y + i, out + i);                                                    \
            FINISH_STORES();                                                                                     \
        }                                                                                                        \
        for (int64_t i = tail; i < n; i++)                                                                       \
            out[i] = x[i] * y[i];                                                                                \
    }

DEFINE_VECTOR_MULTIPLY_STREAMING(double, float64)
DEFINE_VECTOR_MULTIPLY_STREAMING(float, float32)
