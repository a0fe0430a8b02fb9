"""numpy.std, compiled by Numba, which has a loop of its own for it."""

import numba
import numpy as np


@numba.njit(cache=True, error_model="numpy")
def deviation(x):
    return np.std(x)


def prepare(case):
    if case.dtype == "float32":
        raise NotImplementedError(
            "Numba adds up the mean in float32, from left to right: for 1e6 elements, three times s"
        )
    return deviation
