/* One cache line of out = x * y by stores that go past the caches: a line that is about to be overwritten need not be
   read first, which spares a quarter of the traffic. `out` begins a line; x and y need not. Such stores are not ordered
   with others, so each thread ends with FINISH_STORES(). Any other machine than x86 gets plain stores. */
#define LINE 64 /* bytes */

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
