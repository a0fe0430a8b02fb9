"""CUDA C in a string, compiled at run time by PyCUDA's SourceModule, one thread per option."""

import numpy as np
from pycuda.compiler import SourceModule

PARAMETERS = ("block_size",)

SOURCE = """
__device__ REAL normal(REAL d)
{
    return erfc(-d * (REAL)0.70710678118654752) / 2;
}

__global__ void black_scholes(long long n, const REAL *price, const REAL *strike, const REAL *years, REAL rate,
                              REAL volatility, REAL *call, REAL *put)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    // idea: the formula, an option a thread
    const REAL spread = volatility * sqrt(years[i]), drift = rate + volatility * volatility / 2;
    const REAL d1 = (log(price[i] / strike[i]) + drift * years[i]) / spread;
    const REAL present = strike[i] * exp(-rate * years[i]);
    const REAL value = price[i] * normal(d1) - present * normal(d1 - spread);
    call[i] = value;
    put[i] = value - price[i] + present;
    // end of idea
}
"""


def prepare(case):
    black_scholes = SourceModule(SOURCE, options=["-O3", f"-DREAL={case.ctype}"]).get_function("black_scholes")
    n, how = np.int64(case.size), {"grid": (case.blocks(), 1), "block": (case.block_size, 1, 1), "stream": case.stream}

    def run(price, strike, years, rate, volatility, call, put):
        black_scholes(n, price, strike, years, rate, volatility, call, put, **how)

    return run
