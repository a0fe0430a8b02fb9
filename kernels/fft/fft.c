/* Fourier transform of n complex numbers by Stockham's algorithm; n is a power of two. A stage combines n / length
   transforms of `length` elements in pairs into transforms of twice that length. A complex number is stored as two
   reals. `scratch` has room for n complex numbers. `roots` contains exp(-2 pi i k / n) for k < n / 2. With -fopenmp,
   threads share a stage. */
#include <stdint.h>
#include <string.h>

#include "fft.h"

#define DEFINE_FFT(type, dtype)                                                                                  \
    static void stage_##dtype(int64_t n, int64_t length, const type *restrict from, type *restrict to,           \
                              const type *restrict roots)                                                        \
    {                                                                                                            \
        const int64_t half = n / 2, stride = half / length;                                                      \
        /* idea: a number plus and minus a rotated number are two numbers of the next stage */                   \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < half; i++) {                                                                     \
            const int64_t k = i / stride, even = 2 * (i + k * stride), odd = even + 2 * stride;                  \
            const type re = roots[2 * k * stride], im = roots[2 * k * stride + 1];                               \
            const type turned_re = re * from[odd] - im * from[odd + 1];                                          \
            const type turned_im = re * from[odd + 1] + im * from[odd];                                          \
            to[2 * i] = from[even] + turned_re;                                                                  \
            to[2 * i + 1] = from[even + 1] + turned_im;                                                          \
            to[2 * (i + half)] = from[even] - turned_re;                                                         \
            to[2 * (i + half) + 1] = from[even + 1] - turned_im;                                                 \
        }                                                                                                        \
        /* end of idea */                                                                                        \
    }                                                                                                            \
                                                                                                                 \
    void fft_##dtype(int64_t n, const type *x, type *out, type *scratch, const type *roots)                      \
    {                                                                                                            \
        int stages = 0;                                                                                          \
        for (int64_t length = 1; length < n; length *= 2)                                                        \
            stages++;                                                                                            \
        if (stages == 0)                                                                                         \
            memcpy(out, x, 2 * n * sizeof *x);                                                                   \
        const type *from = x;                                                                                    \
        for (int s = 0; s < stages; s++) { /* stages alternate between both arrays; the last writes to out */    \
            type *to = (stages - s) % 2 ? out : scratch;                                                         \
            stage_##dtype(n, (int64_t)1 << s, from, to, roots);                                                  \
            from = to;                                                                                           \
        }                                                                                                        \
    }

DEFINE_FFT(double, complex128)
DEFINE_FFT(float, complex64)
