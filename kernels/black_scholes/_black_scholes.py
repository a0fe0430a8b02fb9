import numpy as np
from scipy.special import ndtr


# pythran export black_scholes(float64[], float64[], float64[], float64, float64, float64[], float64[])
# pythran export black_scholes(float32[], float32[], float32[], float32, float32, float32[], float32[])
def black_scholes(price, strike, years, rate, volatility, call, put):
    spread = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + volatility * volatility / 2) * years) / spread
    present = strike * np.exp(-rate * years)
    call[:] = price * ndtr(d1) - present * ndtr(d1 - spread)
    put[:] = call - price + present
