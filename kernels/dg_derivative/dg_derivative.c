/* Derivatives of polynomials on tetrahedra: for each element, derivatives along three edges (3 * nodes sums over its
   values), then by x, y and z. With -fopenmp, threads share the elements. */
#include <stdint.h>

#include "dg_derivative.h"

#define DEFINE_DG_DERIVATIVE(type, dtype)                                                                         \
    void dg_derivative_##dtype(const type *restrict matrices, const type *restrict u,                             \
                               const type *restrict factors, type *restrict out, int64_t elements, int64_t nodes) \
    {                                                                                                             \
        _Pragma("omp parallel for schedule(static)")                                                              \
        for (int64_t e = 0; e < elements; e++) {                                                                  \
            type along[3 * nodes];                                                                                \
            for (int64_t i = 0; i < 3 * nodes; i++)                                                               \
                along[i] = 0;                                                                                     \
            for (int64_t b = 0; b < nodes; b++)                                                                   \
                for (int64_t i = 0; i < 3 * nodes; i++)                                                           \
                    along[i] += u[e * nodes + b] * matrices[b * 3 * nodes + i];                                   \
            for (int64_t i = 3 * e; i < 3 * e + 3; i++)                                                           \
                for (int64_t a = 0; a < nodes; a++)                                                               \
                    out[i * nodes + a] = factors[3 * i] * along[a] + factors[3 * i + 1] * along[nodes + a] +      \
                                         factors[3 * i + 2] * along[2 * nodes + a];                               \
        }                                                                                                         \
    }

DEFINE_DG_DERIVATIVE(double, float64)
DEFINE_DG_DERIVATIVE(float, float32)
