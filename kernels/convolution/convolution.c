/* Convolution of n + taps - 1 inputs to n outputs. Gather: each output adds up its inputs, 64 outputs at a time. With
   -fopenmp-simd, SIMD lanes compute the 64 outputs; with -fopenmp, threads also share the groups of 64. Scatter: each
   input is added to the outputs i that depend on it, where 0 <= i < n. */
#include <stdint.h>
#include <string.h>

#include "convolution.h"

#define BESIDE 64

#define DEFINE_CONVOLUTION(type, dtype)                                                                                \
    void convolution_##dtype(const type *restrict x, const type *restrict weights, type *restrict out, int64_t n,      \
                             int64_t taps)                                                                             \
    {                                                                                                                  \
        _Pragma("omp parallel for schedule(static)")                                                                   \
        for (int64_t first = 0; first < n; first += BESIDE) {                                                          \
            const int64_t count = n - first < BESIDE ? n - first : BESIDE;                                             \
            type sums[BESIDE] = {0};                                                                                   \
            /* idea: the compiler knows the number of sums, 64, and keeps them in registers */                         \
            if (count == BESIDE)                                                                                       \
                for (int64_t k = 0; k < taps; k++)                                                                     \
                    _Pragma("omp simd")                                                                                \
                    for (int64_t i = 0; i < BESIDE; i++)                                                               \
                        sums[i] += weights[k] * x[first + i + taps - 1 - k];                                           \
            /* end of idea */                                                                                          \
            else                                                                                                       \
                for (int64_t k = 0; k < taps; k++)                                                                     \
                    for (int64_t i = 0; i < count; i++)                                                                \
                        sums[i] += weights[k] * x[first + i + taps - 1 - k];                                           \
            memcpy(out + first, sums, count * sizeof(type));                                                           \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    void convolution_scatter_##dtype(const type *restrict x, const type *restrict weights, type *restrict out,         \
                                     int64_t n, int64_t taps)                                                          \
    {                                                                                                                  \
        memset(out, 0, n * sizeof(type));                                                                              \
        for (int64_t j = 0; j < n + taps - 1; j++) {                                                                   \
            const int64_t first = j - (taps - 1), end = n - first < taps ? n - first : taps;                           \
            for (int64_t k = first < 0 ? -first : 0; k < end; k++)                                                     \
                out[first + k] += weights[k] * x[j];                                                                   \
        }                                                                                                              \
    }

DEFINE_CONVOLUTION(double, float64)
DEFINE_CONVOLUTION(float, float32)
