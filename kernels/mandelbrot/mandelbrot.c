/* Count the steps z <- z**2 + c, from z = 0, until |z| exceeds 2, for n rows of n points c. With -fopenmp, threads are
   scheduled dynamically by row, since some rows take a hundred times as long as others. */
#include <stdint.h>

#include "mandelbrot.h"

#define DEFINE_MANDELBROT(type, dtype)                                                               \
    static int32_t steps_##dtype(type a, type b, int32_t limit)                                      \
    {                                                                                                \
        type re = 0, im = 0;                                                                         \
        int32_t step = 0;                                                                            \
        while (step < limit && re * re + im * im <= 4) {                                             \
            const type next = re * re - im * im + a;                                                 \
            im = 2 * re * im + b;                                                                    \
            re = next;                                                                               \
            step++;                                                                                  \
        }                                                                                            \
        return step;                                                                                 \
    }                                                                                                \
                                                                                                     \
    void mandelbrot_##dtype(const type *x, const type *y, int32_t limit, int32_t *counts, int64_t n) \
    {                                                                                                \
        _Pragma("omp parallel for schedule(dynamic)")                                                \
        for (int64_t i = 0; i < n; i++)                                                              \
            for (int64_t j = 0; j < n; j++)                                                          \
                counts[i * n + j] = steps_##dtype(x[j], y[i], limit);                                \
    }

DEFINE_MANDELBROT(double, float64)
DEFINE_MANDELBROT(float, float32)
