"""Numba prange with fastmath in one pass, shifted by the first element: threads and SIMD lanes.

Where a square overflows, the result is NaN; NumPy's is infinite.
"""

import math

import numba

PARAMETERS = ("threads",)


@numba.njit(cache=True, parallel=True, fastmath={"reassoc", "contract"}, error_model="numpy")
def run(x):
    total = squares = 0.0
    origin = x[0] if x.size else x.dtype.type(0)
    for i in numba.prange(x.size):
        shifted = x[i] - numba.float64(origin)
        total += shifted
        squares += shifted * shifted
    return math.sqrt(squares / x.size - (total / x.size) ** 2)
