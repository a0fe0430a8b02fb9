/* Black-Scholes prices of calls and puts, for vectors that do not overlap; with -fopenmp, threads share the options.
   tgmath.h selects the functions for float or double. */
#include <stdint.h>
#include <tgmath.h>

#include "black_scholes.h"

#define DEFINE_BLACK_SCHOLES(type, dtype)                                                                     \
    static inline type normal_##dtype(type d)                                                                 \
    {                                                                                                         \
        return erfc(-d * (type)0.70710678118654752) / 2;                                                      \
    }                                                                                                         \
                                                                                                              \
    void black_scholes_##dtype(const type *restrict price, const type *restrict strike,                       \
                               const type *restrict years, type rate, type volatility,                        \
                               type *restrict call, type *restrict put, int64_t n)                            \
    {                                                                                                         \
        _Pragma("omp parallel for schedule(static)")                                                          \
        for (int64_t i = 0; i < n; i++) {                                                                     \
            const type spread = volatility * sqrt(years[i]), drift = rate + volatility * volatility / 2;      \
            const type d1 = (log(price[i] / strike[i]) + drift * years[i]) / spread;                          \
            const type present = strike[i] * exp(-rate * years[i]);                                           \
            call[i] = price[i] * normal_##dtype(d1) - present * normal_##dtype(d1 - spread);                  \
            put[i] = call[i] - price[i] + present;                                                            \
        }                                                                                                     \
    }

DEFINE_BLACK_SCHOLES(double, float64)
DEFINE_BLACK_SCHOLES(float, float32)
