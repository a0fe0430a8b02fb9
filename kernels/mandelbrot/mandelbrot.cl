/* Count the steps z <- z**2 + c, from z = 0, until |z| exceeds 2, for n rows of n points c, one work-item per point. */

#define DEFINE_MANDELBROT(real, dtype)                                                            \
    kernel void mandelbrot_##dtype(long n, global const real *x, global const real *y, int limit, \
                                   global int *counts)                                            \
    {                                                                                             \
        const long column = get_global_id(0), row = get_global_id(1);                             \
        if (row >= n || column >= n)                                                              \
            return;                                                                               \
        const real a = x[column], b = y[row];                                                     \
        real re = 0, im = 0;                                                                      \
        int step = 0;                                                                             \
        while (step < limit && re * re + im * im <= 4) {                                          \
            const real next = re * re - im * im + a;                                              \
            im = 2 * re * im + b;                                                                 \
            re = next;                                                                            \
            step++;                                                                               \
        }                                                                                         \
        counts[row * n + column] = step;                                                          \
    }

DEFINE_MANDELBROT(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_MANDELBROT(double, float64)
#endif
