/* out = x, one cache line at a time, by non-temporal stores. These stores bypass the caches, so the processor need not
   read the lines of out before it overwrites them. This saves a third of the traffic. Prefetching keeps more reads in
   flight. Ordinary stores write the elements before the first whole line of out and after the last one. On machines
   other than x86, ordinary stores write all elements. */
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "copy_streaming.h"

#define LINE 64    /* size of a cache line, in bytes */
#define AHEAD 4096 /* prefetch distance, in bytes */

static inline void copy_line(const char *x, char *out)
{
#ifdef __SSE2__
    // idea: 16 bytes per non-temporal store
    __builtin_prefetch(x + AHEAD, 0, 0);
    for (int k = 0; k < LINE; k += 16)
        _mm_stream_si128((__m128i *)(out + k), _mm_loadu_si128((const __m128i *)(x + k)));
    // end of idea
#else
    memcpy(out, x, LINE);
#endif
}

static void copy_bytes(const char *x, char *out, int64_t bytes)
{
    const int64_t unaligned = -(uintptr_t)out % LINE, head = unaligned < bytes ? unaligned : bytes;
    const int64_t tail = bytes - (bytes - head) % LINE;
    memcpy(out, x, head);
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int64_t i = head; i < tail; i += LINE)
            copy_line(x + i, out + i);
#ifdef __SSE2__
        _mm_sfence(); /* needed because non-temporal stores are not ordered with other stores */
#endif
    }
    memcpy(out + tail, x + tail, bytes - tail);
}

void copy_streaming_float64(const double *x, double *out, int64_t n)
{
    copy_bytes((const char *)x, (char *)out, n * sizeof *x);
}

void copy_streaming_float32(const float *x, float *out, int64_t n)
{
    copy_bytes((const char *)x, (char *)out, n * sizeof *x);
}
