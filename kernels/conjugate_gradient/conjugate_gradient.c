/* Solve A x = b for a symmetric positive definite matrix in CSR by conjugate gradients, starting from x = 0. Return the
   number of steps. `scratch` has room for 3 * rows numbers. Each pass fuses all operations on the data that it reads.
   With -fopenmp, threads share each pass.

   Inner products are accumulated in double precision. In float32, a sequential sum of a million products is so
   inaccurate that the method takes a fifth more steps. */
#include <stdint.h>

#include "conjugate_gradient.h"

#define DEFINE_CONJUGATE_GRADIENT(type, dtype)                                                                   \
    int64_t conjugate_gradient_##dtype(int64_t rows, const type *restrict data, const int32_t *restrict indices, \
                                       const int32_t *restrict indptr, const type *restrict b,                   \
                                       type relative_residual, int64_t most_steps, type *restrict x,             \
                                       type *restrict scratch)                                                   \
    {                                                                                                            \
        type *restrict residual = scratch, *restrict direction = scratch + rows;                                 \
        type *restrict product = scratch + 2 * rows;                                                             \
        double squared = 0;                                                                                      \
        _Pragma("omp parallel for simd schedule(static) reduction(+ : squared)")                                 \
        for (int64_t i = 0; i < rows; i++) {                                                                     \
            x[i] = 0;                                                                                            \
            residual[i] = direction[i] = b[i];                                                                   \
            squared += b[i] * b[i];                                                                              \
        }                                                                                                        \
        const double target = (double)relative_residual * relative_residual * squared;                           \
        int64_t steps = 0;                                                                                       \
        /* idea: three fused passes per step */                                                                  \
        for (; squared > target && steps < most_steps; steps++) {                                                \
            double curvature = 0;                                                                                \
            _Pragma("omp parallel for schedule(static) reduction(+ : curvature)")                                \
            for (int64_t i = 0; i < rows; i++) {                                                                 \
                type sum = 0;                                                                                    \
                for (int32_t k = indptr[i]; k < indptr[i + 1]; k++)                                              \
                    sum += data[k] * direction[indices[k]];                                                      \
                product[i] = sum;                                                                                \
                curvature += direction[i] * sum;                                                                 \
            }                                                                                                    \
            const double before = squared;                                                                       \
            const type length = squared / curvature;                                                             \
            squared = 0;                                                                                         \
            _Pragma("omp parallel for simd schedule(static) reduction(+ : squared)")                             \
            for (int64_t i = 0; i < rows; i++) {                                                                 \
                x[i] += length * direction[i];                                                                   \
                residual[i] -= length * product[i];                                                              \
                squared += residual[i] * residual[i];                                                            \
            }                                                                                                    \
            const type ratio = squared / before;                                                                 \
            _Pragma("omp parallel for simd schedule(static)")                                                    \
            for (int64_t i = 0; i < rows; i++)                                                                   \
                direction[i] = residual[i] + ratio * direction[i];                                               \
        }                                                                                                        \
        /* end of idea */                                                                                        \
        return steps;                                                                                            \
    }

DEFINE_CONJUGATE_GRADIENT(double, float64)
DEFINE_CONJUGATE_GRADIENT(float, float32)
