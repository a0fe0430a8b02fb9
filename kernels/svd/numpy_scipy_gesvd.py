"""scipy.linalg.svd, gesvd: the older way, by implicit QR iterations."""

from scipy import linalg

PARAMETERS = ("threads",)


def run(a, u, s, vt):
    return linalg.svd(a, check_finite=False, lapack_driver="gesvd")
