"""cupy.linalg.svd: cuSOLVER's gesvd, by QR iterations."""

import cupy as cp

ALGORITHM = "QR iterations"


def run(a, u, s, vt):
    return tuple(cp.linalg.svd(a))
