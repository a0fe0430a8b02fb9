/* Copy as fast as memory allows. Non-temporal stores spare reading each line before it is overwritten, a third of the
   traffic; prefetching may keep more lines on their way: both are measured, with and without. Any other machine than
   x86 gets a plain loop. */
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "peak_copy.h"

#define LINE 64 /* bytes */
#ifndef AHEAD
#define AHEAD 4096 /* bytes: as good as twice or half of it; 0 is not to prefetch */
#endif

static inline void copy_line(const char *x, char *out)
{
#ifdef __SSE2__
    // idea: 16 bytes a store, past the caches, and a line that is read later is asked for now
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
