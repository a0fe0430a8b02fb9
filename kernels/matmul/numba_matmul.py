"""numpy.dot in code compiled by Numba, which calls SciPy's BLAS directly."""

import numba
import numpy as np

PARAMETERS = ("threads",)


@numba.njit(cache=True)
def run(a, b, out):
    np.dot(a, b, out)
