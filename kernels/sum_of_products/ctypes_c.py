"""C loops, called through ctypes."""

import ctypes

SOURCES = ("sum_of_products.c",)


def prepare(case):
    sum_of_products = getattr(ctypes.CDLL(case.artifact("sum_of_products.c")), f"sum_of_products_{case.dtype}")
    sum_of_products.argtypes, sum_of_products.restype = (*[ctypes.c_void_p] * 3, ctypes.c_int64, ctypes.c_int64), None
    return lambda x, y, out: sum_of_products(x.ctypes.data, y.ctypes.data, out.ctypes.data, *x.shape)
