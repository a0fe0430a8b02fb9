/* Mean of each point and its four neighbours, for a grid of n rows; the border keeps its values. With -fopenmp, threads
   share the rows. */
#include <stdint.h>
#include <string.h>

#include "stencil.h"

#define DEFINE_STENCIL(type, dtype)                                                                              \
    void stencil_##dtype(const type *restrict x, type *restrict out, int64_t n)                                  \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < n; i++) {                                                                        \
            const type *const row = x + i * n;                                                                   \
            type *const mean = out + i * n;                                                                      \
            if (i == 0 || i == n - 1) {                                                                          \
                memcpy(mean, row, n * sizeof(type));                                                             \
                continue;                                                                                        \
            }                                                                                                    \
            mean[0] = row[0];                                                                                    \
            for (int64_t j = 1; j < n - 1; j++)                                                                  \
                mean[j] = (row[j] + row[j - n] + row[j + n] + row[j - 1] + row[j + 1]) * (type)0.2;              \
            mean[n - 1] = row[n - 1];                                                                            \
        }                                                                                                        \
    }

DEFINE_STENCIL(double, float64)
DEFINE_STENCIL(float, float32)
