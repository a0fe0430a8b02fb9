/* Compute one cache line of out = x * y by non-temporal stores. Such stores bypass the caches, so the processor does
   not read the line of out. This saves a quarter of the memory traffic. `out` is aligned to a cache line; x and y need
   not be. Non-temporal stores are not ordered with other stores, so each thread ends with FINISH_STORES(). Machines
   other than x86 use ordinary stores. */
#define LINE 64 /* size of a cache line, in bytes */

#ifdef __SSE2__
#include <emmintrin.h>
#define DEFINE_MULTIPLY_LINE(type, dtype, suffix)                                                                \
    static inline void multiply_line_##dtype(const type *x, const type *y, type *out)                            \
    {                                                                                                            \
        for (unsigned k = 0; k < LINE / sizeof(type); k += 16 / sizeof(type))                                    \
            _mm_stream_##suffix(out + k, _mm_mul_##suffix(_mm_loadu_##suffix(x + k), _mm_loadu_##suffix(y + k)));\
    }
#define FINISH_STORES() _mm_sfence()
#else
#define DEFINE_MULTIPLY_LINE(type, dtype, suffix)                                                                \
    static inline void multiply_line_##dtype(const type *restrict x, const type *restrict y, type *restrict out) \
    {                                                                                                            \
        for (unsigned k = 0; k < LINE / sizeof(type); k++)                                                       \
            out[k] = x[k] * y[k];                                                                                \
    }
#define FINISH_STORES() ((void)0)
#endif

DEFINE_MULTIPLY_LINE(double, float64, pd)
DEFINE_MULTIPLY_LINE(float, float32, ps)
