"""scipy.linalg.svd, gesdd: divide and conquer, in SciPy's LAPACK."""

from scipy import linalg

PARAMETERS = ("threads",)


def run(a, u, s, vt):
    return linalg.svd(a, check_finite=False, lapack_driver="gesdd")
