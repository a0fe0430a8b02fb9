/* out = a as fast as memory allows. Without non-temporal stores, each cache line would be read before it is written.
   Such reads would be half of the traffic. Machines other than x86 run a plain loop. */
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "peak_write.h"

#ifdef __SSE2__
#define STORE(a, out, suffix) _mm_stream_##suffix(out, _mm_set1_##suffix(a))
#define WIDTH(type) (16 / sizeof(type))
#define FINISH_STORES() _mm_sfence()
#else
#define STORE(a, out, suffix) (*(out) = (a))
#define WIDTH(type) 1
#define FINISH_STORES() ((void)0)
#endif

#define DEFINE_PEAK_WRITE(type, dtype, suffix)                                              \
    void peak_write_##dtype(type a, type *out, int64_t n)                                   \
    {                                                                                       \
        const int64_t width = WIDTH(type), unaligned = -(uintptr_t)out % 16 / sizeof(type); \
        const int64_t head = unaligned < n ? unaligned : n, tail = n - (n - head) % width;  \
        for (int64_t i = 0; i < head; i++)                                                  \
            out[i] = a;                                                                     \
        _Pragma("omp parallel")                                                             \
        {                                                                                   \
            /* idea: non-temporal stores */                                                 \
            _Pragma("omp for schedule(static)")                                             \
            for (int64_t i = head; i < tail; i += width)                                    \
                STORE(a, out + i, suffix);                                                  \
            /* end of idea */                                                               \
            FINISH_STORES();                                                                \
        }                                                                                   \
        for (int64_t i = tail; i < n; i++)                                                  \
            out[i] = a;                                                                     \
    }

DEFINE_PEAK_WRITE(double, float64, pd)
DEFINE_PEAK_WRITE(float, float32, ps)
