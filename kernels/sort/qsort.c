/* The C library's qsort of a copy, which calls `compare` through a pointer for each pair. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "qsort.h"

#define DEFINE_QSORT(type, dtype)                                                 \
    static int compare_##dtype(const void *first, const void *second)             \
    {                                                                             \
        const type a = *(const type *)first, b = *(const type *)second;           \
        return (a > b) - (a < b);                                                 \
    }                                                                             \
                                                                                  \
    void qsort_##dtype(const type *x, type *out, int64_t n)                       \
    {                                                                             \
        memcpy(out, x, n * sizeof *x);                                            \
        qsort(out, n, sizeof *out, compare_##dtype);                              \
    }

DEFINE_QSORT(double, float64)
DEFINE_QSORT(float, float32)
