/* out = 1 by stores that go past the caches: lines that are about to be overwritten need not be read first, which
   spares half of the traffic. Any other machine than x86 gets a plain loop. */
#include <stdint.h>

#include "fill_streaming.h"

#ifdef __SSE2__
#include <emmintrin.h>
#define DEFINE_STREAM(type, suffix)                                                                              \
    static inline void stream_##suffix(type *out)                                                                \
    {                                                                                                            \
        /* idea: 16 bytes a store, past the caches */                                                            \
        _mm_stream_##suffix(out, _mm_set1_##suffix(1));                                                          \
        /* end of idea */                                                                                        \
    }
#define FINISH_STORES() _mm_sfence()
#else
#define DEFINE_STREAM(type, suffix)                                                                              \
    static inline void stream_##suffix(type *out)                                                                \
    {                                                                                                            \
        for (unsigned k = 0; k < 16 / sizeof(type); k++)                                                         \
            out[k] = 1;                                                                                          \
    }
#define FINISH_STORES() ((void)0)
#endif

#define DEFINE_FILL_STREAMING(type, dtype, suffix)                                                               \
    DEFINE_STREAM(type, suffix)                                                                                  \
    void fill_streaming_##dtype(type *out, int64_t n)                                                            \
    {                                                                                                            \
        const int64_t width = 16 / sizeof(type), unaligned = -(uintptr_t)out % 16 / sizeof(type);                \
        const int64_t head = unaligned < n ? unaligned : n, tail = n - (n - head) % width;                       \
        for (int64_t i = 0; i < head; i++)                                                                       \
            out[i] = 1;                                                                                          \
        _Pragma("omp parallel")                                                                                  \
        {                                                                                                        \
            _Pragma("omp for schedule(static)")                                                                  \
            for (int64_t i = head; i < tail; i += width)                                                         \
                stream_##suffix(out + i);                                                                        \
            FINISH_STORES();                                                                                     \
        }                                                                                                        \
        for (int64_t i = tail; i < n; i++)                                                                       \
            out[i] = 1;                                                                                          \
    }

DEFINE_FILL_STREAMING(double, float64, pd)
DEFINE_FILL_STREAMING(float, float32, ps)
