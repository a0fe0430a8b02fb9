"""numpy.linalg.svd in code compiled by Numba, which calls SciPy's LAPACK directly."""

import numba
import numpy as np

PARAMETERS = ("threads",)


@numba.njit(cache=True)
def svd(a):
    return np.linalg.svd(a)


def run(a, u, s, vt):
    return svd(a) if a.size else None  # Numba's svd refuses empty matrices
