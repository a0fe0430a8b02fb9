"""The whole solver in C, called once through ctypes."""

import ctypes

import numpy as np

SOURCES = ("conjugate_gradient.c",)


def prepare(case):
    solve = getattr(ctypes.CDLL(case.artifact("conjugate_gradient.c")), f"conjugate_gradient_{case.dtype}")
    real, array = getattr(ctypes, f"c_{case.ctype}"), ctypes.c_void_p
    solve.argtypes = (ctypes.c_int64, array, array, array, array, real, ctypes.c_int64, array, array)
    solve.restype = ctypes.c_int64
    scratch = np.empty(3 * case.size**2, case.dtype)

    def run(data, indices, indptr, b, relative_residual, most_steps, x):
        system = (given.ctypes.data for given in (data, indices, indptr, b))
        return solve(b.size, *system, relative_residual, int(most_steps), x.ctypes.data, scratch.ctypes.data)

    return run
