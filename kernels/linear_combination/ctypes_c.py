"""C loop, called through ctypes."""

import ctypes

SOURCES = ("linear_combination.c",)


def prepare(case):
    real, array = getattr(ctypes, f"c_{case.ctype}"), ctypes.c_void_p
    combine = getattr(ctypes.CDLL(case.artifact("linear_combination.c")), f"linear_combination_{case.dtype}")
    combine.argtypes, combine.restype = (real, array, real, array, array, ctypes.c_int64), None
    return lambda a, x, b, y, z: combine(a, x.ctypes.data, b, y.ctypes.data, z.ctypes.data, x.size)
