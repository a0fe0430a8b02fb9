/* Count the numbers in each of `bins` equal parts of [0, 1). With -fopenmp, each thread counts its part in a private
   histogram; then OpenMP adds up the private histograms. */
#include <stdint.h>
#include <string.h>

#include "histogram.h"

#define DEFINE_HISTOGRAM(type, dtype)                                               \
    void histogram_##dtype(const type *x, int32_t *counts, int64_t n, int32_t bins) \
    {                                                                               \
        memset(counts, 0, bins * sizeof *counts);                                   \
        _Pragma("omp parallel for schedule(static) reduction(+ : counts[:bins])")   \
        for (int64_t i = 0; i < n; i++) {                                           \
            const type bin = x[i] * bins;                                           \
            if (bin >= 0 && bin < bins)                                             \
                counts[(int32_t)bin]++;                                             \
        }                                                                           \
    }

DEFINE_HISTOGRAM(double, float64)
DEFINE_HISTOGRAM(float, float32)
