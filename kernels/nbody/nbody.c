/* Compute the acceleration of each of n bodies by all others, pair by pair. With -fopenmp, threads share the bodies.
   With -ffast-math, the compiler may use SIMD lanes for the sums. */
#include <math.h>
#include <stdint.h>

#include "nbody.h"

#define DEFINE_NBODY(type, dtype, root)                                                          \
    void nbody_##dtype(const type *restrict position, const type *restrict mass, type softening, \
                       type *restrict acceleration, int64_t n)                                   \
    {                                                                                            \
        const type *const x = position, *const y = x + n, *const z = y + n;                      \
        _Pragma("omp parallel for schedule(static)")                                             \
        for (int64_t i = 0; i < n; i++) {                                                        \
            type ax = 0, ay = 0, az = 0;                                                         \
            for (int64_t j = 0; j < n; j++) {                                                    \
                const type dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];                 \
                const type square = dx * dx + dy * dy + dz * dz + softening;                     \
                const type weight = mass[j] / (square * root(square));                           \
                ax += weight * dx;                                                               \
                ay += weight * dy;                                                               \
                az += weight * dz;                                                               \
            }                                                                                    \
            acceleration[i] = ax;                                                                \
            acceleration[n + i] = ay;                                                            \
            acceleration[2 * n + i] = az;                                                        \
        }                                                                                        \
    }

DEFINE_NBODY(double, float64, sqrt)
DEFINE_NBODY(float, float32, sqrtf)
