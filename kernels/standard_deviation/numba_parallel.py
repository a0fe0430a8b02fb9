"""Numba prange loop: one pass by the shifted formula, with threads and, with fastmath, SIMD lanes.

If a square overflows, the result may be NaN, whereas numpy.std returns infinity.
"""

import math

import numba

ALGORITHM = "one pass"
PARAMETERS = ("threads",)
VARIANTS = {"fast": ("fastmath=True",)}


def standard_deviation(x):
    total = squares = 0.0
    origin = x[0] if x.size else x.dtype.type(0)
    for i in numba.prange(x.size):
        shifted = x[i] - numba.float64(origin)
        total += shifted
        squares += shifted * shifted
    return math.sqrt(squares / x.size - (total / x.size) ** 2)


def prepare(case):
    return numba.njit(
        standard_deviation,
        cache=True,
        parallel=True,
        fastmath=case.variant == "fast" and {"reassoc", "contract"},
        error_model="numpy",
    )
