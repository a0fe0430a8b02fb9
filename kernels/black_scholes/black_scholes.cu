/* Black-Scholes prices of calls and puts, one thread per option. */

template <typename Real> __device__ Real normal(Real d)
{
    return erfc(-d * Real(0.70710678118654752)) / 2;
}

template <typename Real>
__device__ void black_scholes(long long n, const Real *price, const Real *strike, const Real *years, Real rate,
                              Real volatility, Real *call, Real *put)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Real spread = volatility * sqrt(years[i]), drift = rate + volatility * volatility / 2;
    const Real d1 = (log(price[i] / strike[i]) + drift * years[i]) / spread;
    const Real present = strike[i] * exp(-rate * years[i]);
    const Real value = price[i] * normal(d1) - present * normal(d1 - spread);
    call[i] = value;
    put[i] = value - price[i] + present;
}

#define DEFINE_BLACK_SCHOLES(Real, dtype)                                                                       \
    extern "C" __global__ void black_scholes_##dtype(long long n, const Real *price, const Real *strike,        \
                                                     const Real *years, Real rate, Real volatility, Real *call, \
                                                     Real *put)                                                 \
    {                                                                                                           \
        black_scholes(n, price, strike, years, rate, volatility, call, put);                                    \
    }

DEFINE_BLACK_SCHOLES(double, float64)
DEFINE_BLACK_SCHOLES(float, float32)
