/* out = x + a * y as fast as memory allows. Without non-temporal stores, each cache line of `out` would be read before
   it is overwritten. Such reads would be a quarter of the traffic. Prefetching may keep more lines in flight. Variants
   with and without prefetching are measured. Machines other than x86 run a plain loop. */
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "peak_triad.h"

#define LINE 64 /* size of a cache line, in bytes */
#ifndef AHEAD
#define AHEAD 2048 /* prefetch distance, in bytes; 16 KiB is slower; 0: no prefetching */
#endif

#ifdef __SSE2__

#define DEFINE_LINE(type, dtype, vector, suffix)                                                      \
    static inline void line_##dtype(type a, const type *x, const type *y, type *out)                  \
    {                                                                                                 \
        enum { ahead = AHEAD / sizeof(type) };                                                        \
        if (ahead) {                                                                                  \
            __builtin_prefetch(x + ahead, 0, 0);                                                      \
            __builtin_prefetch(y + ahead, 0, 0);                                                      \
        }                                                                                             \
        /* idea: 16 bytes per non-temporal store */                                                   \
        for (unsigned k = 0; k < LINE / sizeof(type); k += 16 / sizeof(type)) {                       \
            const vector product = _mm_mul_##suffix(_mm_set1_##suffix(a), _mm_loadu_##suffix(y + k)); \
            _mm_stream_##suffix(out + k, _mm_add_##suffix(_mm_loadu_##suffix(x + k), product));       \
        }                                                                                             \
        /* end of idea */                                                                             \
    }
#define FINISH_STORES() _mm_sfence()

#else

#define DEFINE_LINE(type, dtype, vector, suffix)                                                                \
    static inline void line_##dtype(type a, const type *restrict x, const type *restrict y, type *restrict out) \
    {                                                                                                           \
        for (unsigned k = 0; k < LINE / sizeof(type); k++)                                                      \
            out[k] = x[k] + a * y[k];                                                                           \
    }
#define FINISH_STORES() ((void)0)

#endif

#define DEFINE_PEAK_TRIAD(type, dtype, vector, suffix)                                  \
    DEFINE_LINE(type, dtype, vector, suffix)                                            \
    void peak_triad_##dtype(type a, const type *x, const type *y, type *out, int64_t n) \
    {                                                                                   \
        enum { line = LINE / sizeof(type) };                                            \
        const int64_t unaligned = -(uintptr_t)out % LINE / sizeof(type);                \
        const int64_t head = unaligned < n ? unaligned : n;                             \
        const int64_t tail = n - (n - head) % line;                                     \
        for (int64_t i = 0; i < head; i++)                                              \
            out[i] = x[i] + a * y[i];                                                   \
        _Pragma("omp parallel")                                                         \
        {                                                                               \
            _Pragma("omp for schedule(static)")                                         \
            for (int64_t i = head; i < tail; i += line)                                 \
                line_##dtype(a, x + i, y + i, out + i);                                 \
            FINISH_STORES();                                                            \
        }                                                                               \
        for (int64_t i = tail; i < n; i++)                                              \
            out[i] = x[i] + a * y[i];                                                   \
    }

DEFINE_PEAK_TRIAD(double, float64, __m128d, pd)
DEFINE_PEAK_TRIAD(float, float32, __m128, ps)
