/* After how many steps z <- z**2 + c, from z = 0, |z| exceeds 2, for the points c of n rows. LANES points of a row go
   together, in arrays that the compiler keeps in registers: all step until the last of them has left, but a point that
   has left is not counted any more, and stays where it is. With -fopenmp, threads take the next row when they have done
   one. */
#include <stdint.h>

#include "mandelbrot_lanes.h"

#define LANES 16

#define DEFINE_MANDELBROT(type, integer, dtype)                                                             \
    static void steps_##dtype(const type *a, type b, int32_t limit, int32_t *counts)                        \
    {                                                                                                       \
        type re[LANES] = {0}, im[LANES] = {0};                                                              \
        integer steps[LANES] = {0}, going = 1;                                                              \
        /* idea: LANES points step together until all have left */                                          \
        for (int32_t step = 0; step < limit && going; step++) {                                             \
            going = 0;                                                                                      \
            for (int k = 0; k < LANES; k++) {                                                               \
                const integer inside = re[k] * re[k] + im[k] * im[k] <= 4;                                  \
                const type next_re = re[k] * re[k] - im[k] * im[k] + a[k], next_im = 2 * re[k] * im[k] + b; \
                re[k] = inside ? next_re : re[k];                                                           \
                im[k] = inside ? next_im : im[k];                                                           \
                steps[k] += inside;                                                                         \
                going |= inside;                                                                            \
            }                                                                                               \
        }                                                                                                   \
        /* end of idea */                                                                                   \
        for (int k = 0; k < LANES; k++)                                                                     \
            counts[k] = steps[k];                                                                           \
    }                                                                                                       \
                                                                                                            \
    void mandelbrot_lanes_##dtype(const type *x, const type *y, int32_t limit, int32_t *counts, int64_t n)  \
    {                                                                                                       \
        _Pragma("omp parallel for schedule(dynamic)")                                                       \
        for (int64_t i = 0; i < n; i++)                                                                     \
            for (int64_t j = 0; j < n; j += LANES) {                                                        \
                type a[LANES];                                                                              \
                int32_t found[LANES];                                                                       \
                const int64_t width = n - j < LANES ? n - j : LANES;                                        \
                for (int64_t k = 0; k < LANES; k++) /* beyond the last point, the last one again */         \
                    a[k] = x[k < width ? j + k : n - 1];                                                    \
                steps_##dtype(a, y[i], limit, found);                                                       \
                for (int64_t k = 0; k < width; k++)                                                         \
                    counts[i * n + j + k] = found[k];                                                       \
            }                                                                                               \
    }

DEFINE_MANDELBROT(double, int64_t, float64)
DEFINE_MANDELBROT(float, int32_t, float32)
