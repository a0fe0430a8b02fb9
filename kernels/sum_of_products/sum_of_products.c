/* Sum of products along each row, without an array of products. Without flags, the additions along a row keep
   their order. With -ffast-math or -fopenmp, the compiler may use SIMD lanes. With -fopenmp, threads share the rows. */
#include <stdint.h>

#include "sum_of_products.h"

#define DEFINE_SUM_OF_PRODUCTS(type, dtype)                                                                  \
    void sum_of_products_##dtype(const type *restrict x, const type *restrict y, type *restrict out,         \
                                 int64_t rows, int64_t columns)                                              \
    {                                                                                                        \
        _Pragma("omp parallel for schedule(static)")                                                         \
        for (int64_t i = 0; i < rows; i++) {                                                                 \
            const type *const row_x = x + i * columns, *const row_y = y + i * columns;                       \
            type total = 0;                                                                                  \
            _Pragma("omp simd reduction(+ : total)")                                                         \
            for (int64_t j = 0; j < columns; j++)                                                            \
                total += row_x[j] * row_y[j];                                                                \
            out[i] = total;                                                                                  \
        }                                                                                                    \
    }

DEFINE_SUM_OF_PRODUCTS(double, float64)
DEFINE_SUM_OF_PRODUCTS(float, float32)
