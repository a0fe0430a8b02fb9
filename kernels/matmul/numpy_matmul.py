"""numpy.matmul into a preallocated array: the BLAS that NumPy is linked to."""

import numpy as np

PARAMETERS = ("threads",)


def run(a, b, out):
    np.matmul(a, b, out=out)
