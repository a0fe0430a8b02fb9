"""numpy.linalg.svd: LAPACK's gesdd, divide and conquer."""

import numpy as np

PARAMETERS = ("threads",)


def run(a, u, s, vt):
    return tuple(np.linalg.svd(a))
