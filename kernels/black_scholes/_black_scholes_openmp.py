import numpy as np
from scipy.special import ndtr


# pythran export black_scholes(float64[], float64[], float64[], float64, float64, float64[], float64[])
# pythran export black_scholes(float32[], float32[], float32[], float32, float32, float32[], float32[])
def black_scholes(price, strike, years, rate, volatility, call, put):
    # omp parallel for
    for i in range(price.size):
        spread = volatility * np.sqrt(years[i])
        d1 = (np.log(price[i] / strike[i]) + (rate + volatility * volatility / 2) * years[i]) / spread
        present = strike[i] * np.exp(-rate * years[i])
        call[i] = price[i] * ndtr(d1) - present * ndtr(d1 - spread)
        put[i] = call[i] - price[i] + present
