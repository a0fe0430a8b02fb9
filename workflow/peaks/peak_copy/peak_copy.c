/* Copy as fast as memory allows. Without non-temporal stores, each cache line would be read before it is overwritten.
   Such reads would be a third of the traffic. Prefetching may keep more lines in flight. Variants with and without
   prefetching are measured. Machines other than x86 run a plain loop. */
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "peak_copy.h"

#define LINE 64 /* size of a cache line, in bytes */
#ifndef AHEAD
#define AHEAD 4096 /* prefetch distance, in bytes; twice or half this distance is as good; 0: no prefetching */
#endif

static inline void copy_line(const char *x, char *out)
{
#ifdef __SSE2__
    // idea: 16 bytes per non-temporal store, and a prefetch of a later line
    if (AHEAD)
        __builtin_prefetch(x + AHEAD, 0, 0);
    for (int k = 0; k < LINE; k += 16)
        _mm_stream_si128((__m128i *)(out + k), _mm_loadu_si128((const __m128i *)(x + k)));
    // end of idea
#else
    memcpy(out, x, LINE);
#endif
}

void peak_copy(const char *x, char *out, int64_t bytes)
{
    const int64_t unaligned = -(uintptr_t)out % LINE;
    const int64_t head = unaligned < bytes ? unaligned : bytes;
    const int64_t tail = head + (bytes - head) / LINE * LINE;
    memcpy(out, x, head);
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int64_t i = head; i < tail; i += LINE)
            copy_line(x + i, out + i);
#ifdef __SSE2__
        _mm_sfence();
#endif
    }
    memcpy(out + tail, x + tail, bytes - tail);
}
