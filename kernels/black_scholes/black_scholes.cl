/* Black-Scholes prices of calls and puts, one work-item per option. */

#define DEFINE_BLACK_SCHOLES(real, dtype)                                                                        \
    real normal_##dtype(real d)                                                                                  \
    {                                                                                                            \
        return erfc(-d * (real)0.70710678118654752) / 2;                                                         \
    }                                                                                                            \
                                                                                                                 \
    kernel void black_scholes_##dtype(long n, global const real *price, global const real *strike,               \
                                      global const real *years, real rate, real volatility, global real *call,   \
                                      global real *put)                                                          \
    {                                                                                                            \
        const long i = get_global_id(0);                                                                         \
        if (i >= n)                                                                                              \
            return;                                                                                              \
        const real spread = volatility * sqrt(years[i]), drift = rate + volatility * volatility / 2;             \
        const real d1 = (log(price[i] / strike[i]) + drift * years[i]) / spread;                                 \
        const real present = strike[i] * exp(-rate * years[i]);                                                  \
        const real value = price[i] * normal_##dtype(d1) - present * normal_##dtype(d1 - spread);                \
        call[i] = value;                                                                                         \
        put[i] = value - price[i] + present;                                                                     \
    }

DEFINE_BLACK_SCHOLES(float, float32)

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
DEFINE_BLACK_SCHOLES(double, float64)
#endif
