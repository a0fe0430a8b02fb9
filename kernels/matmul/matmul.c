/* Compute out = a b for matrices of n rows by plain loops. The innermost loop runs along rows of b and out, so
   compilers vectorise it, and it reads memory in order. With -fopenmp, threads share the rows of out. */
#include <stdint.h>

#include "matmul.h"

#define DEFINE_MATMUL(type, dtype)                                                                               \
    void matmul_##dtype(int64_t n, const type *restrict a, const type *restrict b, type *restrict out)           \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < n; i++) {                                                                        \
            type *const row = out + i * n;                                                                       \
            for (int64_t j = 0; j < n; j++)                                                                      \
                row[j] = 0;                                                                                      \
            for (int64_t k = 0; k < n; k++) {                                                                    \
                const type factor = a[i * n + k];                                                                \
                for (int64_t j = 0; j < n; j++)                                                                  \
                    row[j] += factor * b[k * n + j];                                                             \
            }                                                                                                    \
        }                                                                                                        \
    }

DEFINE_MATMUL(double, float64)
DEFINE_MATMUL(float, float32)
