/* Convolution of n + taps - 1 elements to n. Gather: each output adds up what it needs; with -fopenmp-simd as many
   outputs at a time as a register holds, with -fopenmp also by threads. Scatter: each input is added to the outputs
   that need it, those within 0 <= i < n. */
#include <stdint.h>
#include <string.h>

#include "convolution.h"

#define DEFINE_CONVOLUTION(type, dtype)                                                                                \
    void convolution_##dtype(const type *restrict x, const type *restrict weights, type *restrict out, int64_t n,      \
                             int64_t taps)                                                                             \
    {                                                                                                                  \
        _Pragma("omp parallel for simd schedule(static)")                                                              \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            type sum = 0;                                                                                              \
            for (int64_t k = 0; k < taps; k++)                                                                         \
                sum += weights[k] * x[i + taps - 1 - k];                                                               \
            out[i] = sum;                                                                                              \
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
