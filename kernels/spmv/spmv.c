/* y = A x for a CSR matrix: row i has data[k] in column indices[k] for indptr[i] <= k < indptr[i + 1]. With -fopenmp,
   threads share the rows. */
#include <stdint.h>

#include "spmv.h"

#define DEFINE_SPMV(type, dtype)                                                                                 \
    void spmv_##dtype(int64_t rows, const type *restrict data, const int32_t *restrict indices,                  \
                      const int32_t *restrict indptr, const type *restrict x, type *restrict y)                  \
    {                                                                                                            \
        _Pragma("omp parallel for schedule(static)")                                                             \
        for (int64_t i = 0; i < rows; i++) {                                                                     \
            type sum = 0;                                                                                        \
            for (int32_t k = indptr[i]; k < indptr[i + 1]; k++)                                                  \
                sum += data[k] * x[indices[k]];                                                                  \
            y[i] = sum;                                                                                          \
        }                                                                                                        \
    }

DEFINE_SPMV(double, float64)
DEFINE_SPMV(float, float32)
